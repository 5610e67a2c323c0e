// SPDX-License-Identifier: Apache-2.0
/**
 * NVCache as the second-level block cache of HBase 2.6.
 *
 * <p>{@link io.nvcache.hbase.NvHBaseBlockCache} is the adapter; {@link
 * io.nvcache.hbase.NvCacheRegionServer} puts one of HBase's own DRAM caches in front of it.
 */
@NullMarked
package io.nvcache.hbase;

import org.jspecify.annotations.NullMarked;
