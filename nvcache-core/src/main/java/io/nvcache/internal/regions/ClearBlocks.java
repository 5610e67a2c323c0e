// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static io.nvcache.internal.regions.RegionLayout.BLOCK_HEADER_BYTES;

import io.nvcache.memory.AlignedBuffer;
import java.nio.ByteBuffer;

/**
 * Puts blocks in the clear. Two sums in its header prove each, unless it fills pages: then the
 * header stays in the buffer.
 */
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
  public void put(
      long location, long hash, int sum, ByteBuffer block, int position, int lengthBytes) {
    long at = log.position(location);
    boolean isPages = log.isPages(location, lengthBytes);
    buffer.copyIn(isPages ? at : at + BLOCK_HEADER_BYTES, block, position, lengthBytes);
    RegionLayout.putBlockHeader(
        isPages ? buffer.pageHeaders() : buffer.memory(),
        isPages ? buffer.headerPlace(at) : buffer.place(at),
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
    boolean isPages = log.isPages(location, lengthBytes);
    int skip = isPages ? from : BLOCK_HEADER_BYTES + from;
    AlignedBuffer headers = isPages ? buffer.pageHeaders() : buffer.memory();
    int header = isPages ? buffer.headerPlace(at) : buffer.place(at);
    return buffer.copyOut(at, skip, dst, position, copiedBytes)
        && RegionLayout.names(headers, header, hash, stampOf(location));
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
    read.succeed(lead + BLOCK_HEADER_BYTES);
    return true;
  }

  @Override
  public long bufferBytes(long readBytes) {
    return 0;
  }
}
