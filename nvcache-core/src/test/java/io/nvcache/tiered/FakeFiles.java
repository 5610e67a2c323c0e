// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The store's files in memory: every block is its version, once, and its key, over and over.
 * Versions start at 0 and are raised by {@link #rewrite}.
 */
final class FakeFiles implements BlockLoader {
  static final int BLOCK = 4096;

  private final Map<BlockKey, Long> versions = new ConcurrentHashMap<>();
  final AtomicInteger loads = new AtomicInteger();
  volatile Hook afterRead = key -> {};

  /** What a load does between reading its bytes and returning them. */
  interface Hook {
    void run(BlockKey key) throws IOException;
  }

  static ByteBuffer block(long fileId, long offset, long version) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK).putLong(version);
    while (block.hasRemaining()) {
      block.putLong(fileId * 1_000_003 + offset);
    }
    return block.flip();
  }

  ByteBuffer current(long fileId, long offset) {
    return block(fileId, offset, versions.getOrDefault(new BlockKey(fileId, offset), 0L));
  }

  void rewrite(long fileId, long offset) {
    versions.merge(new BlockKey(fileId, offset), 1L, Long::sum);
  }

  @Override
  public ByteBuffer load(long fileId, long offset) throws IOException {
    loads.incrementAndGet();
    ByteBuffer block = current(fileId, offset);
    afterRead.run(new BlockKey(fileId, offset));
    return block;
  }
}
