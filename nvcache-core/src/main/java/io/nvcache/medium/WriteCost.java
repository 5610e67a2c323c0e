// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/**
 * The cost of writing to a medium.
 *
 * @param removalWeight medium writes that freeing one block costs, relative to inserting one: 0
 *     where space is accounted for in DRAM, 1 where an allocator on the medium writes on each free
 *     (SoCC '22, §3.2.3)
 * @param maxConcurrentWriters threads that may write at once before offers answer {@code
 *     MEDIUM_BUSY}; on Optane more than two only slow each other and all readers (SoCC '22, Fig. 1)
 * @param harm bytes that readers can't read for each byte written next to them; 0 where writes take
 *     nothing from reads. On the paper's Optane 20: next to a writer, eight readers lose 8.6 GB/s
 *     of 12, and the writer, slowed by them, writes 0.43 (SoCC '22, Fig. 2, by the equations of
 *     docs/reference/calibration.md)
 * @param unitBytes what the device writes in multiples of: a shorter write takes as much of its
 *     bandwidth and endurance as a whole unit
 */
public record WriteCost(
    double removalWeight, int maxConcurrentWriters, double harm, int unitBytes) {
  /** The most that a medium may be said to lose. */
  public static final double MAX_HARM = 1e6;

  /** No device writes in larger units. */
  public static final int MAX_UNIT_BYTES = 1 << 20;

  /** Memory that freeing does not write to and that serves any number of writers. */
  public static final WriteCost FREE_REMOVALS = new WriteCost(0, Integer.MAX_VALUE, 0);

  /** Optane in which space is accounted for in DRAM: the paper's two modules, eight readers. */
  public static final WriteCost OPTANE = new WriteCost(0, 2, 20, 256);

  /** Checks the ranges. */
  public WriteCost {
    if (!(removalWeight >= 0 && removalWeight <= 100)) {
      throw new IllegalArgumentException(
          "removalWeight is " + removalWeight + "; it must be between 0 and 100");
    }
    if (maxConcurrentWriters < 1) {
      throw new IllegalArgumentException(
          "maxConcurrentWriters is " + maxConcurrentWriters + "; it must be at least 1");
    }
    if (!(harm >= 0 && harm <= MAX_HARM)) {
      throw new IllegalArgumentException(
          "harm is " + harm + "; it must be between 0 and " + MAX_HARM);
    }
    if (unitBytes < 1 || unitBytes > MAX_UNIT_BYTES) {
      throw new IllegalArgumentException(
          "unitBytes is " + unitBytes + "; it must be between 1 and " + MAX_UNIT_BYTES);
    }
  }

  /** Creates the cost of a device that writes no more than it is given. */
  public WriteCost(double removalWeight, int maxConcurrentWriters, double harm) {
    this(removalWeight, maxConcurrentWriters, harm, 1);
  }

  /** Returns the same cost with another harm. */
  public WriteCost withHarm(double bytesNotRead) {
    return new WriteCost(removalWeight, maxConcurrentWriters, bytesNotRead, unitBytes);
  }

  /**
   * Returns what the device writes for a block of so many bytes that begins at a unit.
   *
   * @param lengthBytes 0 to 2^30
   */
  public int deviceBytes(int lengthBytes) {
    return (lengthBytes + unitBytes - 1) / unitBytes * unitBytes;
  }
}
