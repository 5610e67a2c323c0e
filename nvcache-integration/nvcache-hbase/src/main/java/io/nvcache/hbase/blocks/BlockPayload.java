// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.PinnedBlock;
import io.nvcache.memory.HeapBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializerIdManager;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.jspecify.annotations.Nullable;

/**
 * The bytes NVCache keeps of one HBase block.
 *
 * <pre>
 *  0                                              length            length + 4
 *  +----------------------------------------------+-----------------+
 *  | what Cacheable.serialize(dst, true) writes   | deserializer id |
 *  +----------------------------------------------+-----------------+
 * </pre>
 *
 * <p>The id is behind the block, so that the block keeps its alignment on the medium. HBase gives
 * ids in the order in which classes are loaded: they hold for one process only, where a cache may
 * be restored by another. So blocks of HFiles have an id of this class, and blocks of other classes
 * HBase's, exclusive or a number that this process drew, by which another one takes them for none.
 * Thread-safe.
 */
public final class BlockPayload {
  /** What of a payload {@link #onDiskBytes} reads. */
  public static final int HEADER_BYTES = BlockType.MAGIC_LENGTH + Integer.BYTES;

  private static final int ID_BYTES = Integer.BYTES;

  /** HBase's ids are positive, and drawn numbers as well. */
  private static final int HFILE_BLOCK_ID = -1;

  private static final int PROCESS = ThreadLocalRandom.current().nextInt() >>> 1;

  private final ReadMode readMode;
  private final HeapBuffers rooms = new HeapBuffers();

  /** Where HBase's unpacking of a packed block takes its memory from. */
  private volatile ByteBuffAllocator allocator = ByteBuffAllocator.HEAP;

  public BlockPayload(ReadMode readMode) {
    this.readMode = readMode;
  }

  /** The length of what {@link #encode} gives; 0 if the block can't be cached. */
  public int lengthBytes(Cacheable block) {
    int length = block.getSerializedLength();
    return length <= 0 ? 0 : length + ID_BYTES;
  }

  /** Serializes a block when it is asked for, into a buffer that is lent until this is closed. */
  public final class Offered implements Supplier<ByteBuffer>, AutoCloseable {
    private final Cacheable block;
    private @Nullable ByteBuffer lent;

    public Offered(Cacheable block) {
      this.block = block;
    }

    @Override
    public ByteBuffer get() {
      if (lent == null) {
        lent = rooms.take(block.getSerializedLength() + ID_BYTES);
      }
      return encode(block, lent);
    }

    @Override
    public void close() {
      if (lent != null) {
        rooms.giveBack(lent);
        lent = null;
      }
    }
  }

  /**
   * Serializes a block.
   *
   * @param block a block whose serialized length is more than 0
   * @return a buffer that is the caller's own
   */
  public ByteBuffer encode(Cacheable block) {
    return encode(block, ByteBuffer.allocate(block.getSerializedLength() + ID_BYTES));
  }

  private ByteBuffer encode(Cacheable block, ByteBuffer payload) {
    learnAllocator(block);
    int length = block.getSerializedLength();
    payload.clear().limit(length);
    block.serialize(payload, true);
    // Some Cacheables flip the buffer when they are done and some do not.
    payload.clear().limit(length + ID_BYTES);
    return payload.putInt(length, id(block.getDeserializer()));
  }

  /**
   * Has a payload say how long the block behind it is on disk, as a block's that was read does:
   * HBase continues to it without reading its header before. A block says so in the last bytes of
   * what it serializes; one that was written does not know, because there is none behind it yet.
   *
   * @param nextBytes with header and checksums; below 0 if it is not known
   */
  public static void setNextOnDiskBytes(ByteBuffer payload, long nextBytes) {
    int at = payload.limit() - ID_BYTES - Integer.BYTES;
    if (nextBytes > 0
        && at > 0
        && payload.getInt(at + Integer.BYTES) == HFILE_BLOCK_ID
        && payload.getInt(at) < 0) {
      payload.putInt(at, (int) nextBytes);
    }
  }

  private static int id(CacheableDeserializer<Cacheable> deserializer) {
    return deserializer == HFileBlock.BLOCK_DESERIALIZER
        ? HFILE_BLOCK_ID
        : deserializer.getDeserializerIdentifier() ^ PROCESS;
  }

  private void learnAllocator(Cacheable block) {
    if (allocator == ByteBuffAllocator.HEAP && block instanceof HFileBlock hfileBlock) {
      ByteBuffAllocator ofReader = hfileBlock.getByteBuffAllocator();
      if (ofReader != null) {
        allocator = ofReader;
      }
    }
  }

  /**
   * Makes a block of what was found. Takes the pin over: it is closed when the block is released,
   * or at once if the block is a copy or can't be made.
   *
   * @throws IOException if the bytes are not a block's
   */
  public Cacheable decode(PinnedBlock pin) throws IOException {
    ByteBuffer inPlace =
        readMode == ReadMode.ZERO_COPY && ThreadSource.isOfGet() ? inPlace(pin) : null;
    if (inPlace != null) {
      RefCnt references = RefCnt.create(pin::close);
      try {
        return decode(inPlace, references);
      } catch (IOException | RuntimeException | Error e) {
        references.release();
        throw e;
      }
    }
    // Not to be read in place, or past the bound of pins: its own memory, and on the heap, for
    // HBase knows but direct buffers and arrays. Not from a view: those keep the medium's memory
    // until they are collected.
    ByteBuffer copy;
    try (pin) {
      copy = ByteBuffer.allocate(pin.length());
      pin.copyTo(copy);
    }
    return decode(copy.flip(), RefCnt.create());
  }

  /**
   * Returns what the block of a payload takes in its HFile, header and checksums included; 0 if it
   * isn't a block of one. Files have had checksums, and with them headers of this length, since
   * HBase 0.94.
   *
   * @param firstBytes the first {@link #HEADER_BYTES} of the payload
   */
  public static int onDiskBytes(ByteBuffer firstBytes) {
    if (firstBytes.remaining() < HEADER_BYTES) {
      return 0;
    }
    byte[] magic = new byte[BlockType.MAGIC_LENGTH];
    firstBytes.get(magic);
    try {
      BlockType.parse(magic, 0, magic.length);
    } catch (IOException e) {
      return 0; // A Cacheable of another kind.
    }
    return firstBytes.getInt() + HConstants.HFILEBLOCK_HEADER_SIZE;
  }

  /** The payload where it lies; null if it has to be copied. Closes the pin if it throws. */
  private @Nullable ByteBuffer inPlace(PinnedBlock pin) throws IOException {
    try {
      ByteBuffer payload = pin.buffer();
      // Only HBase's own blocks are released when they are no longer read.
      boolean counted =
          payload.isDirect() && deserializer(payload) == HFileBlock.BLOCK_DESERIALIZER;
      return counted ? payload : null;
    } catch (IOException | RuntimeException | Error e) {
      pin.close();
      throw e;
    }
  }

  private Cacheable decode(ByteBuffer payload, RefCnt references) throws IOException {
    CacheableDeserializer<Cacheable> deserializer = deserializer(payload);
    int length = payload.limit() - ID_BYTES;
    ByteBuffer[] block = {payload.limit(length).slice()};
    return deserializer.deserialize(ByteBuff.wrap(block, references), allocator);
  }

  private CacheableDeserializer<Cacheable> deserializer(ByteBuffer payload) throws IOException {
    if (payload.limit() <= ID_BYTES) {
      throw new IOException(
          "The cached payload has "
              + payload.limit()
              + " bytes; it must have more than "
              + ID_BYTES);
    }
    int id = payload.getInt(payload.limit() - ID_BYTES);
    CacheableDeserializer<Cacheable> deserializer =
        id == HFILE_BLOCK_ID
            ? HFileBlock.BLOCK_DESERIALIZER
            : CacheableDeserializerIdManager.getDeserializer(id ^ PROCESS);
    if (deserializer == null) {
      throw new IOException("No deserializer has the id " + id);
    }
    return deserializer;
  }
}
