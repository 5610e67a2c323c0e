// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One rewrite of files into others, such as a compaction, and the heat that it carries from the
 * blocks it reads to the blocks it writes.
 *
 * <p>A compaction replaces hot files with new ones of which no block is cached. While it merges, it
 * reads its inputs in the order of their keys and writes its outputs in the same order, so that the
 * lookups of an output block can be predicted from the lookups of the input blocks that were open
 * while it was written. The store reports both in the order in which they happen. When the outputs
 * have replaced the inputs, the hottest output blocks are read back and cached:
 *
 * <pre>{@code
 * Rewrite rewrite = cache.rewrite();
 * PinnedBlock input = rewrite.read(inputFile, offset);   // null: read the store's file
 * ...
 * rewrite.wrote(outputFile, offset, length);             // an output block is complete
 * ...
 * rewrite.carryAhead(blocksInMemory);                    // if the store keeps any
 * ...                                                    // the commit
 * cache.invalidateFile(inputFile);
 * rewrite.carry(outputs);                                // in the background
 * }</pre>
 *
 * <p>Which part of a hot input block is hot, the cache does not see. A store that counts lookups by
 * key, with {@link KeyHeat} say, gives the counts of an output's keys along with it, and scattered
 * hot keys are followed to their outputs.
 *
 * <p>What a rewrite reads is not a lookup: it marks no block as used, takes no part in the overhead
 * budget, and is counted apart ({@code rewrite.*} of the {@linkplain
 * io.nvcache.control.ReasonLedger#entries ledger}). Nothing is written before {@link #carryAhead}
 * or {@link #carry}, so a rewrite that fails until then is dropped without a call.
 *
 * <p>The object holds no memory of the cache and need not be closed. For one thread at a time,
 * except for {@link #carry}.
 */
public interface Rewrite {
  /**
   * The least heat, in lookups, of an output block that {@link #carry} reads unasked: one lookup is
   * chance.
   */
  double LEAST_HEAT = 2;

  /** Reads output blocks back. The cache never calls it while it holds a lock. */
  @FunctionalInterface
  interface OutputReader {
    /**
     * Reads an output block as it is to be cached.
     *
     * @param fileId the output's incarnation
     * @param offset the block's first byte in the file
     * @param lengthBytes its length as it was given to {@link #wrote}, and the bytes that remain in
     *     the answer
     * @return the block; null if the file is gone or can't be read, and no block of it is to be
     *     asked for again
     */
    @Nullable ByteBuffer read(long fileId, long offset, int lengthBytes);
  }

  /**
   * Looks an input block up, and notes that the rewrite continues to it: the block of the same file
   * that it read before is finished.
   *
   * @param fileId the input's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @return a copy of the block, or null if it is not cached
   * @throws IllegalArgumentException if {@code offset} is negative
   * @throws IllegalStateException once the rewrite carries
   */
  @Nullable PinnedBlock read(long fileId, long offset);

  /**
   * Notes that an output block is complete. Its heat is the sum over the input blocks that were
   * open while it was written, of the recent lookups of each, divided by the number of output
   * blocks that it is spread over.
   *
   * @param fileId the output's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param lengthBytes the block's length, ≥ 1
   * @return the block's heat, in lookups, ≥ 0: a store that keeps the hottest blocks in memory
   *     until the commit need not read them back
   * @throws IllegalArgumentException if {@code offset} is negative or {@code lengthBytes} below 1
   * @throws IllegalStateException once the rewrite carries
   */
  default double wrote(long fileId, long offset, int lengthBytes) {
    return wrote(fileId, offset, lengthBytes, 0);
  }

  /**
   * Notes that an output block is complete, and how often its keys were looked up recently. As far
   * as the lookups of the last outputs account for the heat of the inputs, an output's heat is its
   * own lookups; what is left is spread as in {@link #wrote(long, long, int)}, and counts half once
   * any lookups of keys were given.
   *
   * @param fileId the output's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param lengthBytes the block's length, ≥ 1
   * @param keyLookups the sum over the keys in the block, ≥ 0; 0 if none is known
   * @return the block's heat, in lookups, ≥ 0
   * @throws IllegalArgumentException if {@code offset} is negative, {@code lengthBytes} below 1, or
   *     {@code keyLookups} negative or no number
   * @throws IllegalStateException once the rewrite carries
   */
  double wrote(long fileId, long offset, int lengthBytes, double keyLookups);

  /**
   * Caches the hottest output blocks before they take the place of the inputs, so that readers find
   * them from the first lookup on. For a store that keeps the hottest blocks in memory while it
   * writes them, as the last thing before its commit. The inputs are still cached, so these blocks
   * take the room of what is evicted next. Ends at the first block that the reader has not got or
   * the cache does not take at once, with an interrupt, and with what the reader throws; {@link
   * #carry} continues there after the commit.
   *
   * <p>If the commit fails, invalidate the outputs.
   *
   * @param kept returns a block that is in memory; here null says that it is to be asked for later
   * @return how many blocks were admitted
   */
  int carryAhead(OutputReader kept);

  /**
   * Caches the hottest output blocks: admission judges each by its heat, within the same budget as
   * any other block, and those that it wants are read one at a time, on the calling thread. Ends
   * when they fill as many bytes as the inputs had cached, with those that were {@linkplain
   * #carryAhead carried ahead} and without those that lookups had cached before, or when the cache
   * takes no more. A block that the cache is too busy to take is offered again for a moment, and
   * read once. What is expected to have had less than two lookups is not read; it is foretold to
   * admission like those that are, so that the first lookup that misses it can have it cached. Call
   * it once the inputs are invalidated, so that their blocks make room; it waits a moment for
   * blocks that are being reclaimed. The last outcome of each hot block is counted under {@code
   * carried.*} of the ledger.
   *
   * <p>Where the store is slow, several threads may call it at the same time, once the rewrite has
   * written all: they share the blocks, each with its own reader. What one of them has not asked
   * for is left to the others, and dropped when the last of them ends.
   *
   * <p>An interrupt ends the call of its thread early.
   *
   * @param outputs reads the blocks that are wanted; whatever it throws ends the call
   * @return how many blocks this call had admitted
   */
  int carry(OutputReader outputs);
}
