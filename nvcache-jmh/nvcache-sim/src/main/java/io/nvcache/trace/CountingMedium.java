// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A medium that keeps no bytes: whether a block is hit depends on index, allocator, admission and
 * eviction, never on what it holds. So a cache of any size can be replayed in little memory.
 */
final class CountingMedium implements Medium {
  private static final int ALIGNMENT_BYTES = 256;

  private final long capacityBytes;
  private final WriteCost writeCost;

  /**
   * Makes a medium.
   *
   * @param removalWeight what the policies are told that freeing a block costs
   */
  CountingMedium(long capacityBytes, double removalWeight) {
    this.capacityBytes = capacityBytes;
    this.writeCost = new WriteCost(removalWeight, Integer.MAX_VALUE, 0);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return ALIGNMENT_BYTES;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
  }

  @Override
  public void persist(long offset, long length) {}

  @Override
  public long address(long offset, long length) {
    return 0;
  }

  @Override
  public Durability durability() {
    return Durability.NONE;
  }

  @Override
  public WriteCost writeCost() {
    return writeCost;
  }

  @Override
  public String describe() {
    return "no bytes, " + capacityBytes + " counted";
  }

  @Override
  public void close() {}
}
