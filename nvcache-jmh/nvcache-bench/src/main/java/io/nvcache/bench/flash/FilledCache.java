// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.MissReason;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.Medium;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A cache that is full of numbered blocks, and readers that check what they read. */
final class FilledCache implements AutoCloseable {
  private static final long FILE = 1;

  /** Of the capacity, filled with blocks: regions need some for headers, and some stay free. */
  private static final double FILLED = 0.8;

  private final BlockCache cache;
  private final int blockBytes;
  private final int[] blocks;
  private final AtomicLong wrongBlocks = new AtomicLong();

  /** How many were offered: the number of the next. */
  private volatile int offered;

  /** Fills the medium, which the cache takes over. */
  FilledCache(Medium medium, int blockBytes, Progress progress, StopSignal stop)
      throws IOException {
    this(BlockCache.builder().medium(medium), medium.capacityBytes(), blockBytes, progress, stop);
  }

  /** Fills what a builder has been told to cache on. */
  FilledCache(
      BlockCacheBuilder builder,
      long capacityBytes,
      int blockBytes,
      Progress progress,
      StopSignal stop)
      throws IOException {
    this.blockBytes = blockBytes;
    int count = (int) (capacityBytes * FILLED / blockBytes);
    this.cache =
        builder
            .expectedBlockBytes(blockBytes)
            .maxBlockBytes(blockBytes)
            .admission(AdmissionPresets.admitAll())
            .eviction(FifoEviction::new)
            .build();
    try {
      this.blocks = fill(count, progress, stop);
    } catch (IOException | RuntimeException e) {
      cache.close();
      throw e;
    }
  }

  /** Returns the blocks that are cached; the few that the index displaced are not among them. */
  private int[] fill(int count, Progress progress, StopSignal stop) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    try (Progress.Phase phase = progress.begin("filling", count)) {
      for (int i = 0; i < count && !stop.isRequested(); i++) {
        while (!offer(block)) { // The drive is slower than this loop.
          Thread.onSpinWait();
        }
        phase.at(i + 1L, "");
      }
    }
    return IntStream.range(0, count)
        .filter(i -> cache.get(FILE, offset(i), block.clear()) != BlockCache.MISS)
        .toArray();
  }

  /** Offers the next block; false if it has to be tried again. */
  private boolean offer(ByteBuffer block) throws IOException {
    int number = offered;
    block.putLong(0, number).putLong(blockBytes - Long.BYTES, number);
    OfferResult result = cache.offer(FILE, offset(number), block.clear(), Source.READ);
    if (result == OfferResult.MEDIUM_BUSY || result == OfferResult.NO_SPACE) {
      return false;
    }
    if (result != OfferResult.ADMITTED) {
      throw new IOException("block " + number + " was answered with " + result);
    }
    offered = number + 1;
    return true;
  }

  /** Returns what offers one new block after another; used instead of any other. */
  ReadsDuringWrites.Writer writer() {
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    return () -> offer(block) ? blockBytes : 0;
  }

  /** Returns a reader of the blocks that were offered last: 0 is the very last. */
  ReadTurn.BlockReader recentReader() {
    ByteBuffer buffer = AlignedBuffers.of(blockBytes);
    return block -> {
      int number = offered - 1 - block;
      int length = cache.get(FILE, offset(number), buffer.clear());
      while (length == BlockCache.MISS) { // The index displaced it, as it does a few.
        number++;
        if (number >= offered) {
          throw new IOException("no block is cached after " + (offered - 1 - block));
        }
        length = cache.get(FILE, offset(number), buffer.clear());
      }
      check(buffer, number, length);
    };
  }

  private long offset(int block) {
    return (long) block * blockBytes;
  }

  int[] blocks() {
    return blocks.clone();
  }

  CacheStats stats() {
    return cache.stats();
  }

  Map<MissReason, Long> misses() {
    return cache.control().ledger().misses();
  }

  /** Returns how many hits gave other bytes than their block's. */
  long wrongBlocks() {
    return wrongBlocks.get();
  }

  /** Returns whether a block is cached; its bytes are checked. */
  boolean contains(int block, ByteBuffer buffer) {
    int length = cache.get(FILE, offset(block), buffer.clear());
    if (length != BlockCache.MISS
        && (buffer.getLong(0) != block || buffer.getLong(length - Long.BYTES) != block)) {
      wrongBlocks.incrementAndGet();
    }
    return length != BlockCache.MISS;
  }

  /** Returns how many of the drives are lost. */
  long lostDrives() {
    return cache.control().health().drives().stream().filter(drive -> !drive.serves()).count();
  }

  ReadTurn.BlockReader reader() {
    ByteBuffer buffer = AlignedBuffers.of(blockBytes);
    return block -> {
      int length = cache.get(FILE, offset(block), buffer.clear());
      if (length == BlockCache.MISS) {
        throw new IOException("block " + block + " is missing");
      }
      check(buffer, block, length);
    };
  }

  /** Returns a reader that looks blocks up once it has so many, one by one. */
  ReadTurn.BlockReader sequence(int size) {
    ReadTurn.BlockReader one = reader();
    int[] wanted = new int[size];
    int[] count = {0};
    return block -> {
      wanted[count[0]++] = block;
      if (count[0] == size) {
        count[0] = 0;
        for (int each : wanted) {
          one.read(each);
        }
      }
    };
  }

  /** Returns a reader that looks blocks up once it has so many, with one call. */
  ReadTurn.BlockReader batch(int size) {
    long[] files = new long[size];
    Arrays.fill(files, FILE);
    long[] offsets = new long[size];
    int[] lengths = new int[size];
    ByteBuffer[] buffers = new ByteBuffer[size];
    Arrays.setAll(buffers, i -> ByteBuffer.allocateDirect(blockBytes));
    int[] count = {0};
    return block -> {
      offsets[count[0]] = offset(block);
      buffers[count[0]++].clear();
      if (count[0] == size) {
        count[0] = 0;
        if (cache.getAll(size, files, offsets, buffers, lengths) < size) {
          throw new IOException("a block of a batch is missing");
        }
        for (int i = 0; i < size; i++) {
          check(buffers[i], (int) (offsets[i] / blockBytes), lengths[i]);
        }
      }
    };
  }

  private void check(ByteBuffer buffer, int block, int length) {
    if (buffer.getLong(0) != block || buffer.getLong(length - Long.BYTES) != block) {
      wrongBlocks.incrementAndGet();
    }
  }

  @Override
  public void close() {
    cache.close();
  }
}
