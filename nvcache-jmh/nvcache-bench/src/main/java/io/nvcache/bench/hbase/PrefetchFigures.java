// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;

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
 *     from a walk's, at most
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

  /** Adds what was measured. */
  void report(Measurements scenarioOut) {
    Measurements out = scenarioOut.with("engine", engine.label());
    out.add("prefetch_data_bytes", dataBytes, "bytes")
        .add("prefetch_fetched_bytes", fetchedBytes, "bytes")
        .add("prefetch_cached_bytes", cachedBytes, "bytes");
    if (isReopened()) {
      out.add("reopen_fetched_bytes", reopenFetchedBytes, "bytes");
    }
    out.add("prefetch_fetched_not_cached_ratio", notCachedRatio(), "ratio")
        .add("region_ratio_error", regionRatioError, "ratio");
  }

  /** Returns the part of the fetched bytes that is not cached. */
  public double notCachedRatio() {
    return fetchedBytes == 0 ? 0 : Math.max(0, 1 - (double) cachedBytes / fetchedBytes);
  }

  /** Returns whether the files were opened again. */
  public boolean isReopened() {
    return reopenFetchedBytes != NOT_MEASURED;
  }
}
