// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.hash.serialization.SizeMarshaller;
import net.openhft.chronicle.hash.serialization.SizedReader;
import net.openhft.chronicle.hash.serialization.SizedWriter;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.wire.WireIn;
import net.openhft.chronicle.wire.WireOut;
import org.jspecify.annotations.Nullable;

/**
 * Chronicle Map in native memory, values of constant size, read by {@code getUsing}. It never
 * evicts: this does so for it, first in, first out.
 */
final class ChronicleMapContender implements Contender {
  private static final ThreadLocal<Block> BLOCKS = ThreadLocal.withInitial(Block::new);

  private final ChronicleMap<Long, Block> map;
  private final RecentKeys recent;

  ChronicleMapContender(int blockBytes, int capacityBlocks) {
    this.map =
        ChronicleMap.of(Long.class, Block.class)
            .name("blocks")
            .valueMarshallers(new BlockReader(), new BlockWriter())
            .valueSizeMarshaller(SizeMarshaller.constant(blockBytes))
            .entries(capacityBlocks)
            // Room for the segments that get more than their share.
            .maxBloatFactor(1.5)
            .putReturnsNull(true)
            .removeReturnsNull(true)
            .create();
    this.recent = new RecentKeys(capacityBlocks);
  }

  /** Where a block goes to or comes from. */
  static final class Block {
    /** None to read eight bytes only. */
    private @Nullable ByteBuffer bytes;

    private int at;
    private long touched;

    Block of(ByteBuffer bytes) {
      this.bytes = bytes;
      return this;
    }

    Block at(int place) {
      this.bytes = null;
      this.at = place;
      return this;
    }
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    return map.getUsing(key, BLOCKS.get().of(dst)) != null;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    Block found = map.getUsing(key, BLOCKS.get().at(at));
    return found == null ? ABSENT : found.touched;
  }

  @Override
  public void put(long key, ByteBuffer block) {
    long evicted = recent.put(recent.nextPlace(), key);
    if (evicted != RecentKeys.NONE) {
      map.remove(evicted);
    }
    replace(key, block);
  }

  @Override
  public void replace(long key, ByteBuffer block) {
    map.put(key, BLOCKS.get().of(block));
  }

  @Override
  public void close() {
    map.close();
  }

  /** Copies straight from the map's memory. */
  static final class BlockReader implements SizedReader<Block> {
    @Override
    @SuppressWarnings("rawtypes")
    public Block read(Bytes in, long size, @Nullable Block using) {
      Block block = using == null ? new Block() : using;
      long address = in.addressForRead(in.readPosition());
      ByteBuffer dst = block.bytes;
      if (dst == null) {
        block.touched = RawMemory.getLongBigEndian(address + block.at);
      } else {
        RawMemory.copyOut(address, dst, (int) size);
        dst.position(dst.position() + (int) size);
      }
      in.readSkip(size);
      return block;
    }

    @Override
    public void readMarshallable(WireIn wire) {}

    @Override
    public void writeMarshallable(WireOut wire) {}
  }

  /** Copies straight into the map's memory. */
  static final class BlockWriter implements SizedWriter<Block> {
    @Override
    public long size(Block block) {
      return bytes(block).remaining();
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void write(Bytes out, long size, Block block) {
      ByteBuffer bytes = bytes(block);
      RawMemory.copyIn(
          bytes, bytes.position(), out.addressForWrite(out.writePosition()), (int) size);
      out.writeSkip(size);
    }

    private static ByteBuffer bytes(Block block) {
      ByteBuffer bytes = block.bytes;
      if (bytes == null) {
        throw new IllegalStateException("a block to write has no bytes");
      }
      return bytes;
    }

    @Override
    public void readMarshallable(WireIn wire) {}

    @Override
    public void writeMarshallable(WireOut wire) {}
  }
}
