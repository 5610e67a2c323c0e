// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

/**
 * What one policy did in one round. Policies that are compared did the same operations in the same
 * round, unless the clock ended it.
 *
 * @param round from 1
 * @param seconds how long it took
 * @param counters of this turn
 * @param processorSeconds processor time of the process, without what the emulation of a medium
 *     took
 * @param mediumSeconds what accesses to an emulated medium took by its model, all of them together;
 *     0 for media that are real, whose time is the processor's
 */
public record Turn(
    int round, double seconds, Counters counters, double processorSeconds, double mediumSeconds) {
  private static final double MICROS_PER_SECOND = 1e6;

  /** Operations per second. */
  public double throughput() {
    return counters.operations() / seconds;
  }

  /**
   * The time in microseconds that an operation needs if it never waits for a processor that others
   * have: the processor's, of the emulated medium, and of the disk.
   *
   * @param diskWaitMicros what a read of the disk is taken to wait for it
   */
  public double serviceMicros(double diskWaitMicros) {
    return (processorSeconds + mediumSeconds) * MICROS_PER_SECOND / counters.operations()
        + diskWaitMicros * counters.diskReadsPerOperation();
  }
}
