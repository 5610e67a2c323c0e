// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.DataInput2;
import org.mapdb.DataOutput2;
import org.mapdb.HTreeMap;
import org.mapdb.Serializer;

/**
 * MapDB's hash map in direct memory, evicting by count. Its serializer copies into the caller's
 * buffer. It has no way to read in place.
 */
final class MapDbContender implements Contender {
  private static final long INCREMENT_BYTES = 64 << 20;

  private final DB db;
  private final HTreeMap<Long, ByteBuffer> map;

  MapDbContender(int blockBytes, int capacityBlocks) {
    this.db =
        DBMaker.memoryDirectDB()
            .allocateStartSize((long) capacityBlocks * blockBytes)
            .allocateIncrement(INCREMENT_BYTES)
            .make();
    this.map =
        db.hashMap("blocks")
            .keySerializer(Serializer.LONG)
            .valueSerializer(new BlockSerializer())
            .expireMaxSize(capacityBlocks)
            .expireAfterCreate()
            .create();
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    BlockSerializer.TARGET.set(dst);
    return map.get(key) != null;
  }

  @Override
  public boolean isZeroCopy() {
    return false;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    throw new UnsupportedOperationException("MapDB has no access in place");
  }

  @Override
  public void put(long key, ByteBuffer block) {
    // The evicted block is read back, to nowhere.
    BlockSerializer.TARGET.remove();
    map.putIfAbsentBoolean(key, block);
  }

  @Override
  public void replace(long key, ByteBuffer block) {
    // The old block is read back, to nowhere.
    BlockSerializer.TARGET.remove();
    map.put(key, block);
  }

  @Override
  public void close() {
    db.close();
  }

  private static final class BlockSerializer implements Serializer<ByteBuffer> {
    private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

    /** Where the block that the thread reads goes; not set while it writes. */
    static final ThreadLocal<@Nullable ByteBuffer> TARGET = new ThreadLocal<>();

    @Override
    public void serialize(DataOutput2 out, ByteBuffer block) throws IOException {
      int length = block.remaining();
      if (block.hasArray()) {
        out.write(block.array(), block.arrayOffset() + block.position(), length);
      } else {
        out.ensureAvail(length);
        block.get(block.position(), out.buf, out.pos, length);
        out.pos += length;
      }
    }

    @Override
    public ByteBuffer deserialize(DataInput2 in, int length) throws IOException {
      ByteBuffer dst = TARGET.get();
      if (dst == null) {
        in.setPos(in.getPos() + length);
        return NOWHERE;
      }
      ByteBuffer stored = in.internalByteBuffer();
      int position = dst.position();
      if (stored != null) {
        dst.put(position, stored, in.getPos(), length);
        in.setPos(in.getPos() + length);
        dst.position(position + length);
      } else {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        dst.put(bytes);
      }
      return dst;
    }
  }
}
