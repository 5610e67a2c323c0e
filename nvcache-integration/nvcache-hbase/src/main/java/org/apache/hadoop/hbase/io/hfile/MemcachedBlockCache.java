// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import org.jspecify.annotations.NullMarked;

/**
 * Makes {@code hbase.blockcache.external.class} work. HBase's BlockCacheFactory looks this class up
 * before it reads that setting and, where the class is missing, silently gives no second level at
 * all. It lives in HBase's optional hbase-external-blockcache, which needs a memcached client; with
 * this one in its place neither is wanted.
 */
@NullMarked
final class MemcachedBlockCache {
  /** HBase calls this only when it is configured to use memcached. */
  MemcachedBlockCache() {
    throw new UnsupportedOperationException(
        "hbase.blockcache.external.class asks for memcached, but this MemcachedBlockCache is"
            + " nvcache-hbase's substitute; put hbase-external-blockcache before nvcache-hbase on"
            + " the class path, or set the key to io.nvcache.hbase.NvHBaseBlockCache");
  }
}
