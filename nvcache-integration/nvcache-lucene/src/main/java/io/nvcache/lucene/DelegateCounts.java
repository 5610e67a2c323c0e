// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

/**
 * What was asked of the delegates since the cache was made.
 *
 * @param requests reads of the delegates, of one block or of adjacent ones
 * @param requestedBlocks blocks that these brought
 * @param joinedReads reads that needed no request, because another thread was reading the block or
 *     it had been read ahead
 * @param prefetchedBlocks blocks that Lucene asked to prefetch and that were not cached
 * @param carriedBlocks blocks of merged files that are cached since those they were merged of were
 * @param aheadFailures requests ahead of demand that the delegate failed; a reader that needs the
 *     block reads it again
 * @param aheadDropped blocks that were read ahead, not admitted, and forgotten before a reader came
 */
public record DelegateCounts(
    long requests,
    long requestedBlocks,
    long joinedReads,
    long prefetchedBlocks,
    long carriedBlocks,
    long aheadFailures,
    long aheadDropped) {}
