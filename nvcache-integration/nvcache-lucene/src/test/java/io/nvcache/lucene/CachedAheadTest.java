// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.control.BlockWalk;
import io.nvcache.testing.Race;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Cached blocks on flash that Lucene announces are looked up together. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class CachedAheadTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 2000;
  private static final String NAME = "_0.fdt";

  @TempDir Path folder;

  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong batched = new AtomicLong();
  private LuceneCache cache;
  private NvCacheDirectory directory;
  private byte[] bytes;
  private IndexInput input;
  private final List<Integer> cached = new ArrayList<>();

  /** Counts batches. */
  private final class Counted extends ForwardingBlockCache {
    Counted(BlockCache cache) {
      super(cache);
    }

    @Override
    public int getAll(int count, long[] fileIds, long[] offsets, ByteBuffer[] dsts, int[] lengths) {
      batches.incrementAndGet();
      batched.addAndGet(count);
      return super.getAll(count, fileIds, offsets, dsts, lengths);
    }
  }

  @BeforeEach
  void open() throws IOException {
    BlockCache blocks =
        BlockCache.builder()
            .flash(folder.resolve("blocks"), 32 << 20)
            .maxBlockBytes(BLOCK_BYTES)
            .expectedBlockBytes(BLOCK_BYTES)
            .policies(PolicyPreset.ADMIT_ALL)
            .build();
    cache = LuceneCache.builder(new Counted(blocks)).blockBytes(BLOCK_BYTES).build();
    directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache);
    bytes = new byte[BLOCKS * BLOCK_BYTES];
    new Random(1).nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(NAME, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
    input = directory.openInput(NAME, IOContext.DEFAULT);
    for (int block = 0; block < BLOCKS; block++) { // Caches them.
      read(input, block);
    }
    batches.set(0);
    batched.set(0);
    BlockWalk walk = cache.blocks().control().walk();
    while (walk.next()) {
      cached.add((int) (walk.offset() / BLOCK_BYTES));
    }
    assertThat(cached).hasSizeGreaterThan(100); // The drive may have been too busy for others.
    Collections.shuffle(cached, new Random(1));
  }

  private int[] cached(int count) {
    return cached.subList(0, count).stream().mapToInt(block -> block).toArray();
  }

  @AfterEach
  void close() throws IOException {
    input.close();
    directory.close();
    TestCaches.close(cache);
  }

  private void read(IndexInput from, int block) throws IOException {
    long at = (long) block * BLOCK_BYTES + 100;
    byte[] read = new byte[50];
    from.seek(at);
    from.readBytes(read, 0, read.length);
    assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, (int) at, (int) at + read.length));
  }

  private void announce(IndexInput from, int... blocks) throws IOException {
    for (int block : blocks) {
      from.prefetch((long) block * BLOCK_BYTES + 100, 50);
    }
  }

  @Test
  void shouldLookUpInOneBatchWhatWasAnnounced_AndEachOnce() throws IOException {
    int[] blocks = cached(8);
    long lookups = cache.blocks().stats().lookups();
    announce(input, blocks);
    assertThat(cache.blocks().stats().lookups()).as("lookups of announcements").isEqualTo(lookups);
    for (int block : blocks) {
      read(input, block);
    }
    assertThat(batches).hasValue(1);
    assertThat(batched).hasValue(8);
    assertThat(cache.blocks().stats().lookups() - lookups).isEqualTo(blocks.length);
  }

  @Test
  void shouldLookUpInOneBatchWhatClonesAnnounce() throws IOException {
    IndexInput[] clones = new IndexInput[6];
    for (int i = 0; i < clones.length; i++) {
      clones[i] = input.clone();
      announce(clones[i], cached.get(i));
    }
    for (int i = clones.length - 1; i >= 0; i--) {
      read(clones[i], cached.get(i));
    }
    assertThat(batches).hasValue(1);
  }

  @Test
  void shouldReadARangeOfSeveralBlocksWithOneBatch() throws IOException {
    byte[] read = new byte[10 * BLOCK_BYTES];
    input.seek(20 * BLOCK_BYTES);
    input.readBytes(read, 0, read.length);
    assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, 20 * BLOCK_BYTES, 30 * BLOCK_BYTES));
    assertThat(batches).hasValue(1);
  }

  @Test
  void shouldNotLookUpAheadWhatWasAnnouncedAlone() throws IOException {
    announce(input, cached(1));
    read(input, cached.get(0));
    assertThat(batches).hasValue(0);
  }

  @Test
  void shouldForgetWhatWasAnnouncedOfAFileThatIsClosed() throws IOException {
    IndexInput other = directory.openInput(NAME, IOContext.DEFAULT);
    announce(other, cached(4));
    other.close();
    announce(input, cached.get(5));
    read(input, cached.get(5));
    assertThat(batches).hasValue(0);
  }

  @Test
  void shouldReadRightWhateverIsAnnounced() throws Exception {
    Race.run(
        4,
        thread -> {
          Random random = new Random(thread);
          IndexInput mine = input.clone();
          for (int round = 0; round < 300; round++) {
            int[] blocks = random.ints(1 + random.nextInt(20), 0, BLOCKS).toArray();
            announce(mine, blocks);
            for (int block : blocks) {
              if (random.nextInt(5) > 0) { // Some are never read.
                read(mine, block);
              }
            }
            if (random.nextInt(50) == 0) {
              cache.blocks().invalidate(1, (long) blocks[0] * BLOCK_BYTES);
            }
          }
        });
    assertThat(batches.get()).isPositive();
  }
}
