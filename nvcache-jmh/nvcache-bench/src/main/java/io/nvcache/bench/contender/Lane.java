// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.nio.ByteBuffer;

/** What one thread keeps for one side of a measurement: its buffer, its keys, and what it saw. */
public final class Lane {
  public static final int LINE_BYTES = 64;

  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private final ByteBuffer buffer;
  private final ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
  private final int step;
  private final long lines;
  private long newKey;
  private long turn;
  private long found;
  private long differences;

  /**
   * Makes a lane.
   *
   * @param buffer to copy to or from
   * @param firstNewKey of keys never used before
   * @param step to the next new key, the number of lanes
   */
  public Lane(ByteBuffer buffer, long firstNewKey, int step) {
    this.buffer = buffer;
    this.newKey = firstNewKey;
    this.step = step;
    this.lines = Math.max(1, buffer.capacity() / LINE_BYTES);
  }

  /** A lane for the other side of the pair, with the same buffer. */
  public Lane otherSide() {
    return new Lane(buffer, newKey, step);
  }

  public ByteBuffer buffer() {
    return buffer;
  }

  public long nextNewKey() {
    long key = newKey;
    newKey += step;
    return key;
  }

  /** The key that {@link #nextNewKey} gives next. */
  public long newKey() {
    return newKey;
  }

  /**
   * Where in a block the next touch reads. Another cache line each time: the first lines alone of
   * all blocks fit in a processor's cache, and a touch of them would not be one of memory.
   */
  public int nextPlace() {
    turn += GOLDEN_RATIO;
    return (int) (((turn >>> Integer.SIZE) * lines) >>> Integer.SIZE) * LINE_BYTES;
  }

  /** Eight bytes to read into, empty. */
  public ByteBuffer word() {
    return word.clear();
  }

  /** A block was found, and a stamp in it. */
  public void found(long key, long stamp) {
    found++;
    differences |= stamp ^ Contender.stamp(key);
  }

  public long found() {
    return found;
  }

  /** Whether all stamps were their blocks'. */
  public boolean sawRightBytes() {
    return differences == 0;
  }
}
