// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.PinnedBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializerIdManager;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * The bytes NVCache keeps of one HBase block.
 *
 * <pre>
 *  0                                              length           length + 4
 *  +----------------------------------------------+-----------------+
 *  | what Cacheable.serialize(dst, true) writes   | deserializer id |
 *  +----------------------------------------------+-----------------+
 * </pre>
 *
 * <p>The id stands behind the block so that the block keeps its alignment on the medium. HBase
 * gives ids in the order in which classes are loaded, so they hold for one process only, as the
 * cache does.
 */
final class BlockPayload {
  private static final int ID_BYTES = Integer.BYTES;

  /** Longer blocks are rare; their buffers are not worth keeping for each thread. */
  private static final int MAX_SCRATCH_BYTES = 1 << 20;

  private static final ThreadLocal<ByteBuffer> SCRATCH =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(128 << 10));

  private BlockPayload() {}

  /**
   * Serializes a block.
   *
   * @param block a block whose serialized length is more than 0
   * @return a buffer that the calling thread may use until its next call
   */
  static ByteBuffer encode(Cacheable block) {
    int length = block.getSerializedLength();
    ByteBuffer payload = scratch(length + ID_BYTES);
    payload.clear().limit(length);
    block.serialize(payload, true);
    // Some Cacheables flip the buffer when they are done and some do not.
    payload.clear().limit(length + ID_BYTES);
    payload.putInt(length, block.getDeserializer().getDeserializerIdentifier());
    return payload;
  }

  /**
   * Copies a block out of the cache, to memory of its own that needs no reference counting.
   *
   * @throws IOException if the bytes are no block
   */
  static Cacheable decode(PinnedBlock lease) throws IOException {
    int length = lease.length() - ID_BYTES;
    if (length < 0) {
      throw new IOException(
          "The cached payload has " + lease.length() + " bytes; it must have at least " + ID_BYTES);
    }
    ByteBuffer payload = ByteBuffer.allocate(lease.length());
    lease.copyTo(payload); // Not a view: those keep the medium's memory until they are collected.
    int id = payload.getInt(length);
    CacheableDeserializer<Cacheable> deserializer =
        CacheableDeserializerIdManager.getDeserializer(id);
    if (deserializer == null) {
      throw new IOException("No deserializer has the id " + id);
    }
    return deserializer.deserialize(
        ByteBuff.wrap(payload.flip().limit(length).slice()), ByteBuffAllocator.HEAP);
  }

  private static ByteBuffer scratch(int length) {
    ByteBuffer kept = SCRATCH.get();
    if (kept.capacity() >= length) {
      return kept;
    }
    ByteBuffer larger = ByteBuffer.allocate(length);
    if (length <= MAX_SCRATCH_BYTES) {
      SCRATCH.set(larger);
    }
    return larger;
  }
}
