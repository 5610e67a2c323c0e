// SPDX-License-Identifier: Apache-2.0
/** Lookups and pins. */
@NullMarked
package io.nvcache.internal.read;

import org.jspecify.annotations.NullMarked;
