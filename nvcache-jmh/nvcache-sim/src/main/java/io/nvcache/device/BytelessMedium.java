// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A medium that keeps no bytes: what is read is what the buffer held. Whether a block is hit
 * depends on index, allocator, admission and eviction, never on what it holds, so a cache of any
 * size can be simulated in little memory.
 */
public abstract class BytelessMedium implements Medium {
  /** The alignment of blocks, and the least that one takes. */
  protected static final int ALIGNMENT_BYTES = 256;

  private final long capacityBytes;
  private final WriteCost writeCost;

  /**
   * Makes a medium.
   *
   * @param writeCost what policies learn of the medium
   */
  protected BytelessMedium(long capacityBytes, WriteCost writeCost) {
    this.capacityBytes = capacityBytes;
    this.writeCost = writeCost;
  }

  @Override
  public final long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public final int alignmentBytes() {
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
  public void close() {}
}
