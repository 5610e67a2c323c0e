// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.nio.ByteBuffer;

/** What one thread keeps for one side of a measurement: its buffer, its keys, and what it saw. */
final class Lane {
  private final ByteBuffer buffer;
  private final int step;
  private long newKey;
  private long found;
  private long differences;

  /**
   * Makes a lane.
   *
   * @param buffer to copy to or from
   * @param firstNewKey of keys never used before
   * @param step to the next new key, the number of lanes
   */
  Lane(ByteBuffer buffer, long firstNewKey, int step) {
    this.buffer = buffer;
    this.newKey = firstNewKey;
    this.step = step;
  }

  /** A lane for the other side of the pair, with the same buffer. */
  Lane otherSide() {
    return new Lane(buffer, newKey, step);
  }

  ByteBuffer buffer() {
    return buffer;
  }

  long nextNewKey() {
    long key = newKey;
    newKey += step;
    return key;
  }

  /** The key that {@link #nextNewKey} gives next. */
  long newKey() {
    return newKey;
  }

  /** A block was found that begins with {@code first}. */
  void found(long key, long first) {
    found++;
    differences |= first ^ Contender.stamp(key);
  }

  long found() {
    return found;
  }

  /** Whether all blocks found began with their stamp. */
  boolean sawRightBytes() {
    return differences == 0;
  }
}
