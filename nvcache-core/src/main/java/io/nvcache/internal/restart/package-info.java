// SPDX-License-Identifier: Apache-2.0
/** What a cache writes for the next one, and how that one finds the blocks again. */
@NullMarked
package io.nvcache.internal.restart;

import org.jspecify.annotations.NullMarked;
