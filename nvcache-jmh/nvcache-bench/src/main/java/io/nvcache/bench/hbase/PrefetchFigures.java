// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

/**
 * What one engine's prefetches fetched.
 *
 * @param scenario {@link HBaseScenario#REOPEN} or {@link HBaseScenario#PREFETCH}
 * @param dataBytes of all files
 * @param fetchedBytes read from the files when they were opened first, all of them
 * @param cachedBytes of it that were cached below when all prefetches had ended
 * @param reopenFetchedBytes read when they were opened again; {@link #NOT_MEASURED} in another
 *     scenario
 * @param regionRatioError by how much the cached share of a region that the cache reports differs
 *     from that of a walk, at most
 */
public record PrefetchFigures(
    HBaseScenario scenario,
    HBaseEngine engine,
    long dataBytes,
    long fetchedBytes,
    long cachedBytes,
    long reopenFetchedBytes,
    double regionRatioError) {
  static final long NOT_MEASURED = -1;

  /** Returns the part of the fetched bytes that is not cached. */
  public double notCachedRatio() {
    return fetchedBytes == 0 ? 0 : Math.max(0, 1 - (double) cachedBytes / fetchedBytes);
  }

  /** Returns whether the files were opened again. */
  public boolean isReopened() {
    return reopenFetchedBytes != NOT_MEASURED;
  }
}
