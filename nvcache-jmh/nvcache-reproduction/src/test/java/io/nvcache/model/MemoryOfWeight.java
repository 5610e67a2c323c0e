// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Native memory that is said to cost so much to write. */
final class MemoryOfWeight implements Medium {
  private final Medium memory;
  private final WriteCost writeCost;

  MemoryOfWeight(long capacityBytes, WriteCost writeCost) {
    this.memory = NativeMedium.allocate(capacityBytes);
    this.writeCost = writeCost;
  }

  @Override
  public long capacityBytes() {
    return memory.capacityBytes();
  }

  @Override
  public int alignmentBytes() {
    return 256;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    memory.read(offset, dst, length);
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    memory.write(offset, src, srcPosition, length);
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    memory.persist(offset, length);
  }

  @Override
  public long address(long offset, long length) {
    return memory.address(offset, length);
  }

  @Override
  public Durability durability() {
    return memory.durability();
  }

  @Override
  public WriteCost writeCost() {
    return writeCost;
  }

  @Override
  public String describe() {
    return memory.describe();
  }

  @Override
  public void close() {
    memory.close();
  }
}
