// SPDX-License-Identifier: Apache-2.0
/** Offers: admission, space, the write, and the entry in the index. */
@NullMarked
package io.nvcache.internal.write;

import org.jspecify.annotations.NullMarked;
