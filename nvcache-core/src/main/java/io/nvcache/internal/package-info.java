// SPDX-License-Identifier: Apache-2.0
/** The engine: index, space, and the block cache built from them. Not an API. */
@NullMarked
package io.nvcache.internal;

import org.jspecify.annotations.NullMarked;
