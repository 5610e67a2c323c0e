// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Serves one block from a medium and says so, or says in one line why not: for {@link
 * JvmFlagsTest}, which starts it with flags of many kinds.
 */
final class CacheByFlags {
  private static final int CAPACITY = 8 << 20;

  private CacheByFlags() {}

  public static void main(String[] arguments) {
    BlockCacheBuilder builder =
        BlockCache.builder().policies(PolicyPreset.ADMIT_ALL).smallBypassDramBytes(0);
    switch (arguments[0]) {
      case "native" -> builder.nativeMemory(CAPACITY);
      case "mapped" -> builder.mappedFile(Path.of(arguments[1]), CAPACITY);
      case "flash" -> builder.flash(Path.of(arguments[1]), CAPACITY);
      default -> builder.medium(new HeapMedium());
    }
    try (BlockCache cache = builder.build()) {
      cache.offer(1, 0, ByteBuffer.wrap("block".getBytes(StandardCharsets.UTF_8)), Source.READ);
      System.out.println("read " + cache.get(1, 0, ByteBuffer.allocate(5)) + " bytes");
    } catch (IllegalStateException | UncheckedIOException e) {
      System.out.println("refused: " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /** Needs no memory by address itself, so that only the index does. */
  private static final class HeapMedium implements Medium {
    private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY);

    @Override
    public long capacityBytes() {
      return CAPACITY;
    }

    @Override
    public int alignmentBytes() {
      return 64;
    }

    @Override
    public void read(long offset, ByteBuffer dst, int length) {
      dst.put(dst.position(), bytes, (int) offset, length);
    }

    @Override
    public void write(long offset, ByteBuffer src, int srcPosition, int length) {
      bytes.put((int) offset, src, srcPosition, length);
    }

    @Override
    public void persist(long offset, long length) {}

    @Override
    public long address(long offset, long length) {
      return 0;
    }

    @Override
    public Durability durability() {
      return Durability.NONE;
    }

    @Override
    public WriteCost writeCost() {
      return WriteCost.FREE_REMOVALS;
    }

    @Override
    public String describe() {
      return "the heap";
    }

    @Override
    public void close() {}
  }
}
