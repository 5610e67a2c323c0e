// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.bench.contender.BlockNumbering;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.llpl.LlplHeapMedium;
import io.nvcache.llpl.PerBlockHeapMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A cache filled nearly to its capacity. Everything is admitted: what admission is worth is
 * measured elsewhere, by hit ratios.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls fill() first.
public class FilledCache {
  @Param({"4096", "16384", "65536"})
  public int blockBytes;

  /** Or {@code flash}; or {@code llpl}, {@code llpl-per-block}, which need PMDK. */
  @Param({"native", "mapped"})
  public String medium;

  /** Well past the processor's caches, so that hits are hits in memory. */
  @Param("256")
  public int cachedMiB;

  /** The few that the index displaced are not among them. */
  int[] cachedKeys;

  BlockCache cache;
  private Path directory;

  @Setup(Level.Trial)
  public void fill() throws IOException {
    directory = Files.createTempDirectory("nvcache-jmh");
    long cachedBytes = (long) cachedMiB << 20;
    // A sixteenth more, since slabs are handed out by whole extents.
    long capacityBytes = cachedBytes + cachedBytes / 16 + (8 << 20);
    BlockCacheBuilder builder =
        BlockCache.builder()
            .expectedBlockBytes(blockBytes)
            .maxBlockBytes(blockBytes)
            .admission(AdmissionPresets.admitAll())
            .eviction(WorthEviction::new);
    cache =
        switch (medium) {
          case "native" -> builder.nativeMemory(capacityBytes).build();
          case "mapped" -> builder.mappedFile(file(), capacityBytes).build();
          case "flash" -> builder.flash(file(), capacityBytes).build();
          case "llpl" -> builder.medium(LlplHeapMedium.create(file(), capacityBytes)).build();
          case "llpl-per-block" ->
              builder.medium(PerBlockHeapMedium.create(file(), capacityBytes)).build();
          default ->
              throw new IllegalArgumentException(
                  "medium is none of native, mapped, flash, llpl, llpl-per-block");
        };
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    int blocks = (int) (cachedBytes / blockBytes);
    for (int key = 0; key < blocks; key++) {
      block.putLong(0, key);
      OfferResult result = offer(key, block);
      while (result == OfferResult.MEDIUM_BUSY) { // The drive is slower than this loop.
        Thread.onSpinWait();
        result = offer(key, block);
      }
      if (result != OfferResult.ADMITTED) {
        throw new IllegalStateException("block " + key + " was answered with " + result);
      }
    }
    cachedKeys = IntStream.range(0, blocks).filter(key -> isCached(key, block)).toArray();
  }

  @TearDown(Level.Trial)
  public void close() {
    cache.close();
    try {
      Files.deleteIfExists(file());
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file() {
    return directory.resolve("blocks");
  }

  private boolean isCached(int key, ByteBuffer dst) {
    return get(key, dst.clear()) != BlockCache.MISS;
  }

  int get(long key, ByteBuffer dst) {
    return cache.get(BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes), dst);
  }

  OfferResult offer(long key, ByteBuffer block) {
    return cache.offer(
        BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes), block, Source.READ);
  }

  boolean invalidate(long key) {
    return cache.invalidate(BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes));
  }
}
