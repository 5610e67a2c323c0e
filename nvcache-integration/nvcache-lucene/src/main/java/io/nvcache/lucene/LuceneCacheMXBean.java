// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.util.Map;

/**
 * What is known of a {@link LuceneCache} beyond its blocks, over JMX as {@code
 * io.nvcache:type=LuceneCache,name=NAME}. All counts are since the cache was made.
 */
public interface LuceneCacheMXBean {
  /** Returns the block reads that were hits, by the extension of the file. */
  Map<String, Long> getHits();

  /** Returns the block reads that were misses, by the extension of the file. */
  Map<String, Long> getMisses();

  /** Returns the misses that were not offered, by the extension of the file. */
  Map<String, Long> getOnceMisses();

  /** Files that were opened, or read for their checksum, past the cache, by their extension. */
  Map<String, Long> getBypassedOpens();

  /** Reads of the delegates that brought blocks: not during openings or past the cache. */
  long getDelegateRequests();

  /** Blocks that these brought. */
  long getDelegateBlocks();

  /** Reads that needed their own request. */
  long getJoinedReads();

  /** Blocks that Lucene asked to prefetch and that were not cached. */
  long getPrefetchedBlocks();

  /** Blocks of merged files that are cached since those they were merged of were. */
  long getCarriedBlocks();

  /** Returns how many requests ahead of demand the delegates failed. */
  long getAheadFailures();

  /** Returns how many blocks were read ahead, not admitted, and forgotten before a reader came. */
  long getAheadDropped();
}
