// SPDX-License-Identifier: Apache-2.0
/**
 * A small key-value store over HBase's HFiles, for driving YCSB through HBase's own block reader: a
 * miss goes from HBase's reader to the DRAM tier, to NVCache and, past the page cache, to the disk.
 */
@NullMarked
package io.nvcache.ycsb.store;

import org.jspecify.annotations.NullMarked;
