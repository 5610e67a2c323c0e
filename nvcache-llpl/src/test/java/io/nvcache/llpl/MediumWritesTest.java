// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.memory.RawMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is written to the medium, told by comparing its file before and after: a mapping and the
 * file are the same pages. Lines are the 256 bytes that Optane writes at a time.
 */
@NeedsPmdk
final class MediumWritesTest {
  private static final int LINE = 256;
  private static final int BLOCK = 16 << 10;
  private static final int BLOCK_LINES = BLOCK / LINE;
  private static final int BLOCKS = 16;
  private static final long MIB = 1 << 20;

  @TempDir(factory = FileSystems.Tmpfs.class)
  Path directory;

  private byte[] before = {};

  private Path file() {
    return directory.resolve("heap");
  }

  private void mark() throws IOException {
    before = Files.readAllBytes(file());
  }

  /** Lines that differ from the mark. */
  private int changedLines() throws IOException {
    byte[] after = Files.readAllBytes(file());
    int changed = 0;
    for (int at = 0; at < after.length; at += LINE) {
      int end = Math.min(at + LINE, after.length);
      if (!Arrays.equals(before, at, end, after, at, end)) {
        changed++;
      }
    }
    return changed;
  }

  private static ByteBuffer block(int value) {
    byte[] bytes = new byte[BLOCK];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void shouldWriteNothingOnEvictionAndInvalidation() throws IOException {
    FaultyMedium medium = new FaultyMedium(LlplHeapMedium.create(file(), 4 * MIB));
    medium.showAddresses = true;
    try (BlockCache cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(BLOCK)
            .expectedBlockBytes(BLOCK)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build()) {
      for (int i = 0; i < 1000; i++) {
        OfferResult result = cache.offer(i % 7, (long) i * BLOCK, block(i + 1), Source.READ);
        assertThat(result).isEqualTo(OfferResult.ADMITTED);
      }
      CacheStats full = cache.stats();
      assertThat(full.evictions() + full.displacements()).isGreaterThan(700);
      assertThat(medium.writes).hasValue(full.offers(OfferResult.ADMITTED));
      assertThat(medium.writtenBytes).hasValue(full.admittedBytes());
      mark();

      for (int i = 0; i < 1000; i++) {
        cache.invalidate(i % 7, (long) i * BLOCK);
        if (i == 900) {
          cache.invalidateFile(3);
          cache.control().maintain();
        }
      }

      assertThat(cache.stats().blocks()).isZero();
      assertThat(changedLines()).isZero();
      assertThat(medium.writes).hasValue(1000);
    }
  }

  @Test
  void shouldWriteTheLinesOfABlockOnceFromAnExtent() throws IOException {
    try (Medium medium = LlplHeapMedium.create(file(), 4 * MIB)) {
      medium.write(0, block(1));
      mark();
      for (int i = 1; i <= BLOCKS; i++) {
        medium.write(i * (long) BLOCK, block(i));
      }
      assertThat(changedLines()).isEqualTo(BLOCKS * BLOCK_LINES);
    }
  }

  @Test
  void shouldDirtyALineForEachFreeIfEachBlockIsAnAllocation() throws IOException {
    try (PerBlockHeapMedium medium = PerBlockHeapMedium.create(file(), 4 * MIB)) {
      for (int i = 0; i < BLOCKS; i++) {
        medium.write(i * (long) BLOCK, block(1));
      }
      for (int i = 0; i < BLOCKS; i++) {
        mark();
        medium.free(i * (long) BLOCK, BLOCK);
        assertThat(changedLines()).isBetween(1, 2);
      }
    }
  }

  /** Allocations and bytes one after the other: seen together, the bytes cover the zeros. */
  @Test
  void shouldWriteTheLinesOfABlockTwiceIfEachIsAnAllocation() throws IOException {
    try (PerBlockHeapMedium medium = PerBlockHeapMedium.create(file(), 4 * MIB)) {
      Heap heap = medium.heap();
      leaveOnesEverywhere(heap);
      mark();
      List<MemoryBlock> blocks = new ArrayList<>();
      for (int i = 0; i < BLOCKS; i++) {
        blocks.add(heap.allocateMemoryBlock(BLOCK));
      }
      assertThat(changedLines())
          .as("zeroed by the allocations alone")
          .isBetween(BLOCKS * BLOCK_LINES, BLOCKS * (BLOCK_LINES + 4));

      mark();
      blocks.forEach(MediumWritesTest::fillWithOnes);
      assertThat(changedLines())
          .as("the bytes themselves; blocks begin inside a line")
          .isBetween(BLOCKS * BLOCK_LINES, BLOCKS * (BLOCK_LINES + 1));
    }
  }

  private static void leaveOnesEverywhere(Heap heap) {
    List<MemoryBlock> all = new ArrayList<>();
    try {
      while (true) {
        all.add(heap.allocateMemoryBlock(BLOCK));
      }
    } catch (HeapException full) {
      all.forEach(MediumWritesTest::fillWithOnes);
      all.forEach(MemoryBlock::freeMemory);
    }
  }

  private static void fillWithOnes(MemoryBlock block) {
    RawMemory.fill(HeapAccess.address(block), BLOCK, (byte) 0xff);
  }
}
