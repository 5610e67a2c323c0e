// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static io.nvcache.internal.regions.RegionLayout.BLOCK_HEADER_BYTES;

import io.nvcache.memory.BufferSum;
import java.nio.ByteBuffer;

/** Puts blocks in the clear; two sums in its header prove each. */
final class ClearBlocks implements BlockCodec {
  private final AppendLog log;
  private final AppendBuffer buffer;

  ClearBlocks(AppendLog log) {
    this.log = log;
    this.buffer = log.buffer();
  }

  private long stampOf(long location) {
    return log.stamp(log.generation(location));
  }

  @Override
  public void put(long location, long hash, ByteBuffer block, int position, int lengthBytes) {
    long at = log.position(location);
    int sum = BufferSum.of(block, position, lengthBytes);
    buffer.copyIn(at + BLOCK_HEADER_BYTES, block, position, lengthBytes);
    RegionLayout.putBlockHeader(
        buffer.memory(),
        buffer.place(at),
        hash,
        stampOf(location),
        lengthBytes,
        log.locations().granule(location),
        sum);
  }

  @Override
  public boolean copyBuffered(
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes) {
    long at = log.position(location);
    return buffer.copyOut(at, BLOCK_HEADER_BYTES + from, dst, position, copiedBytes)
        && RegionLayout.names(buffer.memory(), buffer.place(at), hash, stampOf(location));
  }

  @Override
  public boolean open(BlockRead read, int lead, long location, long hash, int lengthBytes) {
    if (!RegionLayout.isBlock(
        read.block(),
        lead,
        hash,
        stampOf(location),
        lengthBytes,
        log.locations().granule(location))) {
      return false;
    }
    read.succeed(lead);
    return true;
  }

  @Override
  public long bufferBytes(long readBytes) {
    return 0;
  }
}
