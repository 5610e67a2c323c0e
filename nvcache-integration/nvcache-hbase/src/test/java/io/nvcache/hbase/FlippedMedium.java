// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Memory that now and then stores one bit wrong. */
final class FlippedMedium implements Medium {
  private final Medium medium;
  private boolean flipNext;

  FlippedMedium(long capacityBytes) {
    this.medium = NativeMedium.allocate(capacityBytes);
  }

  void flipNextWrite() {
    flipNext = true;
  }

  @Override
  public void write(long offset, ByteBuffer src, int position, int length) throws IOException {
    ByteBuffer written = src;
    if (flipNext) {
      written = ByteBuffer.allocate(src.capacity()).put(0, src, 0, src.limit());
      int at = position + length / 2;
      written.put(at, (byte) (written.get(at) ^ 1));
      flipNext = false;
    }
    medium.write(offset, written, position, length);
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    medium.read(offset, dst, length);
  }

  @Override
  public long capacityBytes() {
    return medium.capacityBytes();
  }

  @Override
  public int alignmentBytes() {
    return medium.alignmentBytes();
  }

  @Override
  public long address(long offset, long length) {
    return medium.address(offset, length);
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    medium.persist(offset, length);
  }

  @Override
  public Durability durability() {
    return medium.durability();
  }

  @Override
  public WriteCost writeCost() {
    return medium.writeCost();
  }

  @Override
  public String describe() {
    return medium.describe();
  }

  @Override
  public void close() {
    medium.close();
  }
}
