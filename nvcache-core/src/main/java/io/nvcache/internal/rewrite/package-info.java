// SPDX-License-Identifier: Apache-2.0
/** The heat that a rewrite of files carries from the blocks it reads to those it writes. */
@NullMarked
package io.nvcache.internal.rewrite;

import org.jspecify.annotations.NullMarked;
