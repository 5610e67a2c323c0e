// SPDX-License-Identifier: Apache-2.0
/**
 * The public API of NVCache: a second-level cache of immutable file blocks for JVM datastores, on
 * media slower than DRAM and faster than disk.
 *
 * <p>Start at {@link io.nvcache.BlockCache#builder()}.
 */
@NullMarked
package io.nvcache;

import org.jspecify.annotations.NullMarked;
