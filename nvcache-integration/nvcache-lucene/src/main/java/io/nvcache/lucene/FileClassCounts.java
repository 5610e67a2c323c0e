// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

/**
 * What became of the block reads of all files with one extension since the cache was made.
 *
 * @param hits blocks that were cached
 * @param misses blocks that were read from the delegate, or taken from a read of another thread
 * @param onceMisses the misses that were not offered, by {@link CacheRule#ONCE} or because a merge
 *     read them
 * @param bypassedOpens how often a file was opened past the cache, or read past it for its checksum
 */
public record FileClassCounts(long hits, long misses, long onceMisses, long bypassedOpens) {}
