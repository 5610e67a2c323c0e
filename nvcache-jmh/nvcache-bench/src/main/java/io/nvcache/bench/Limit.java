// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.Region;
import io.nvcache.medium.Medium;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * What caches are compared with: the bare copy, touch or write of a block whose place is known, in
 * memory of the same kind, as large and as cold as the cache's. Copies are made in one pass, which
 * is what a JVM offers; how much quicker the order is that caches may choose is reported next to
 * it.
 */
final class Limit implements AutoCloseable {
  /** In which the bytes of a block are copied. */
  enum Order {
    STROKE,
    STREAMS,
    /** The one of both that NVCache has chosen. */
    CHOSEN
  }

  private final Medium medium;
  private final long base;
  private final int blockBytes;

  Limit(Region region, int blockBytes, int blocks) {
    this.blockBytes = blockBytes;
    this.medium = region.open((long) blockBytes * blocks);
    this.base = medium.address(0, medium.capacityBytes());
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    for (int place = 0; place < blocks; place++) {
      write(place, Contender.stamped(block, place));
    }
  }

  void copy(long place, ByteBuffer dst) {
    RawMemory.copyOut(base + place * blockBytes, dst, blockBytes);
    dst.position(dst.position() + blockBytes);
  }

  void copy(long place, ByteBuffer dst, Order order) {
    long address = base + place * blockBytes;
    switch (order) {
      case STROKE -> RawMemory.copyOut(address, dst, dst.position(), blockBytes);
      case STREAMS -> RawMemory.copyStreamsOut(address, dst, dst.position(), blockBytes);
      case CHOSEN -> RawMemory.copyBlockOut(address, dst, dst.position(), blockBytes);
    }
    dst.position(dst.position() + blockBytes);
  }

  long touch(long place, int at) {
    return RawMemory.getLongBigEndian(base + place * blockBytes + at);
  }

  void write(long place, ByteBuffer block) {
    RawMemory.copyIn(block, block.position(), base + place * blockBytes, blockBytes);
  }

  void write(long place, ByteBuffer block, Order order) {
    long address = base + place * blockBytes;
    switch (order) {
      case STROKE -> RawMemory.copyIn(block, block.position(), address, blockBytes);
      case STREAMS -> RawMemory.copyStreamsIn(block, block.position(), address, blockBytes);
      case CHOSEN -> RawMemory.copyBlockIn(block, block.position(), address, blockBytes);
    }
  }

  @Override
  public void close() {
    medium.close();
  }
}
