// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/**
 * What one run came to, in the sizes and rates of the real machine.
 *
 * @param seconds that passed for the store while this was counted
 * @param throughput operations a second of the clients that go as fast as they can
 * @param readsPerSecond of those, reads and scans
 * @param updatesPerSecond of those, updates and inserts
 * @param lookups of the cache
 * @param hitRatio of the cache; NaN without one
 * @param insertedBlocks into the cache
 * @param removedBlocks from it, outdated or evicted
 * @param invalidatedBlocks from it, outdated
 * @param admittedGb the bytes of what was inserted
 * @param nvramWrittenGb written to NVRAM, by whatever
 * @param nvramReadGb read from NVRAM
 * @param diskWrittenGb written to the disk during the run
 * @param diskReadGb read from the disk
 * @param processors how busy they were
 * @param disk how busy it was
 * @param nvram how busy it was
 */
public record RunResult(
    double seconds,
    double throughput,
    double readsPerSecond,
    double updatesPerSecond,
    double lookups,
    double hitRatio,
    double insertedBlocks,
    double removedBlocks,
    double invalidatedBlocks,
    double admittedGb,
    double nvramWrittenGb,
    double nvramReadGb,
    double diskWrittenGb,
    double diskReadGb,
    Load processors,
    Load disk,
    Load nvram) {
  /**
   * How busy a device was.
   *
   * @param busy the part of the time in which it had a job
   * @param jobs how many it had on average
   */
  public record Load(double busy, double jobs) {}

  /** Removed for each block inserted; 0 before the first. */
  public double removedPerInserted() {
    return insertedBlocks == 0 ? 0 : removedBlocks / insertedBlocks;
  }

  /** Whether clients wait for NVRAM rather than for the disk. */
  public boolean isNvramBound() {
    return nvram.jobs() > disk.jobs() && nvram.busy() > BOUND;
  }

  /** Whether clients wait for the disk rather than for NVRAM. */
  public boolean isDiskBound() {
    return disk.jobs() > nvram.jobs() && disk.busy() > BOUND;
  }

  private static final double BOUND = 0.9;
}
