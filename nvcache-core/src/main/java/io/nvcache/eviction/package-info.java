// SPDX-License-Identifier: Apache-2.0
/** Decides which cached block is evicted. */
@NullMarked
package io.nvcache.eviction;

import org.jspecify.annotations.NullMarked;
