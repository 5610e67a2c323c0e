// SPDX-License-Identifier: Apache-2.0
/**
 * Second-level block caches behind HBase's own HFile reader, side by side: none, BucketCache on its
 * media, NVCache on its own.
 */
@NullMarked
package io.nvcache.bench.hbase;

import org.jspecify.annotations.NullMarked;
