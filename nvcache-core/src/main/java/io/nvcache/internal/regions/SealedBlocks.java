// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static io.nvcache.internal.regions.RegionLayout.BLOCK_HEADER_BYTES;

import io.nvcache.memory.AlignedBuffer;
import java.nio.ByteBuffer;

/** Seals blocks, also in the buffer; the tag in its header proves each. */
final class SealedBlocks implements BlockCodec {
  private final AppendLog log;
  private final AppendBuffer buffer;
  private final RegionCipher cipher;

  SealedBlocks(AppendLog log, RegionCipher cipher) {
    this.log = log;
    this.buffer = log.buffer();
    this.cipher = cipher;
  }

  private ByteBuffer header(long location, long hash, int lengthBytes) {
    return RegionLayout.sealedHeader(
        hash, log.stamp(log.generation(location)), lengthBytes, log.locations().granule(location));
  }

  @Override
  public void put(
      long location, long hash, int sum, ByteBuffer block, int position, int lengthBytes) {
    long at = log.position(location);
    ByteBuffer header = header(location, hash, lengthBytes);
    cipher.sealBlock(
        log.region(location),
        header,
        log.generation(location),
        block,
        position,
        lengthBytes,
        bytes -> {
          buffer.copyIn(at + BLOCK_HEADER_BYTES, bytes, 0, lengthBytes);
          RegionLayout.putSealedHeader(
              buffer.memory(), buffer.place(at), header, bytes, lengthBytes);
        });
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
    ByteBuffer header = ByteBuffer.allocate(BLOCK_HEADER_BYTES);
    if (lengthBytes > log.locations().maxBlockBytes()
        || !buffer.copyOut(at, 0, header, 0, BLOCK_HEADER_BYTES)) {
      return false; // No block is as long: the entry was torn.
    }
    RegionCipher.Room room = cipher.takeRoom(lengthBytes);
    try {
      ByteBuffer plain =
          cipher.openBlock(
              log.region(location),
              header(location, hash, lengthBytes),
              log.generation(location),
              header,
              lengthBytes,
              bytes -> buffer.copyOut(at, BLOCK_HEADER_BYTES, bytes, 0, lengthBytes),
              room);
      if (plain == null) {
        return false;
      }
      BlockRead.copyOut(plain, from, dst, position, copiedBytes);
      return true;
    } finally {
      cipher.giveBack(room);
    }
  }

  @Override
  public boolean open(BlockRead read, int lead, long location, long hash, int lengthBytes) {
    AlignedBuffer block = read.block();
    ByteBuffer plain =
        cipher.openBlock(
            log.region(location),
            header(location, hash, lengthBytes),
            log.generation(location),
            block.whole().slice(lead, BLOCK_HEADER_BYTES),
            lengthBytes,
            bytes -> {
              block.copyOut(lead + BLOCK_HEADER_BYTES, bytes, 0, lengthBytes);
              return true;
            },
            read.room());
    if (plain == null) {
      return false;
    }
    read.succeed(plain);
    return true;
  }

  /** On the heap, as long as a read's buffer, and for those that read nothing. */
  @Override
  public long bufferBytes(long readBytes) {
    return readBytes + cipher.keptBytes();
  }
}
