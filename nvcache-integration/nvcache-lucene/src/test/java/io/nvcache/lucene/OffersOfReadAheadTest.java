// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.control.BlockWalk;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As what, and how often, blocks are offered that were read ahead. The cache takes each. */
final class OffersOfReadAheadTest {
  private static final int BLOCK_BYTES = 4096;

  /** Of one prefetch. */
  private static final int RUN = 8;

  private final Directory files = new ByteBuffersDirectory();
  private LuceneCache cache;
  private NvCacheDirectory directory;
  private int waiting;

  @BeforeEach
  void open() {
    LuceneCacheBuilder builder =
        LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
            .blockBytes(BLOCK_BYTES);
    waiting = builder.maxReadAheadBlocks();
    cache = builder.build();
    directory = new NvCacheDirectory(files, cache);
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private byte[] write(int blocks) throws IOException {
    return write("_0.doc", blocks);
  }

  private byte[] write(String name, int blocks) throws IOException {
    byte[] bytes = new byte[blocks * BLOCK_BYTES];
    new Random(1).nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
    return bytes;
  }

  private long offers(Source source) {
    return cache.blocks().stats().offers(source);
  }

  /** Prefetches whole runs of the file, and waits until all have been read. */
  private void prefetch(IndexInput input, int blocks) throws IOException {
    for (int at = 0; at < blocks; at += RUN) {
      input.prefetch((long) at * BLOCK_BYTES, (long) RUN * BLOCK_BYTES);
      while (cache.delegateCounts().requestedBlocks() < at + RUN) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  @Timeout(60)
  void shouldOfferAPrefetchedBlockToItsReaderAlone() throws IOException {
    byte[] bytes = write(RUN);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      prefetch(input, RUN);
      byte[] read = new byte[bytes.length / 2];
      input.readBytes(read, 0, read.length);

      assertThat(read).isEqualTo(Arrays.copyOf(bytes, read.length));
    }
    assertThat(cache.delegateCounts().requests()).isEqualTo(1);
    assertThat(offers(Source.READ)).isEqualTo(RUN / 2);
    assertThat(offers(Source.PREFETCH)).isZero();
    assertThat(cache.blocks().stats().blocks()).isEqualTo(RUN / 2);
    FileClassCounts counts = cache.countsByExtension().get("doc");
    assertThat(counts.hits()).as("hits of blocks that had to be read").isZero();
    assertThat(counts.misses()).isEqualTo(RUN / 2);
  }

  @Test
  @Timeout(60)
  void shouldOfferAPrefetchedBlockThatNoReaderTakesAsPrefetched() throws IOException {
    int blocks = waiting + 2 * RUN;
    write(blocks);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      prefetch(input, blocks);
      while (offers(Source.PREFETCH) < 2 * RUN) { // Each that comes displaces the first waiting.
        Thread.onSpinWait();
      }
    }
    assertThat(offers(Source.PREFETCH)).isEqualTo(2 * RUN);
    assertThat(offers(Source.READ)).isZero();
    assertThat(cache.blocks().stats().blocks()).isEqualTo(2 * RUN);
  }

  @Test
  @Timeout(60)
  void shouldKeepAPrefetchedBlockForItsReader_HoweverManyWereTakenSince() throws IOException {
    byte[] bytes = write(RUN);
    byte[] other = write("_1.doc", 2 * waiting);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT);
        IndexInput large = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      prefetch(input, RUN);
      large.readBytes(other, 0, other.length);
      long requests = cache.delegateCounts().requests();
      byte[] read = new byte[bytes.length];
      input.readBytes(read, 0, read.length);

      assertThat(read).isEqualTo(bytes);
      assertThat(cache.delegateCounts().requests()).isEqualTo(requests);
    }
    assertThat(offers(Source.PREFETCH)).isZero();
  }

  @Test
  void shouldCountNoJoinOfAThreadThatMakesTheRequestItself() throws IOException {
    byte[] bytes = write(RUN);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      input.readBytes(bytes, 0, bytes.length);
    }
    assertThat(cache.delegateCounts().requests()).isOne();
    assertThat(cache.delegateCounts().joinedReads()).isEqualTo(RUN - 1);
  }

  @Test
  void shouldOfferEachBlockOfAScanOnce() throws IOException {
    int blocks = 8 * RUN;
    byte[] bytes = write(blocks);
    byte[] one = new byte[BLOCK_BYTES];
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      for (int i = 0; i < blocks; i++) {
        input.readBytes(one, 0, one.length);
        assertThat(one)
            .isEqualTo(Arrays.copyOfRange(bytes, i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES));
      }
    }
    assertThat(cache.delegateCounts().requests()).as("requests").isLessThan(blocks / 2);
    assertThat(offers(Source.READ)).isPositive();
    assertThat(offers(Source.SCAN)).isPositive();
    assertThat(offers(Source.READ) + offers(Source.SCAN)).isEqualTo(blocks);
    assertThat(cache.countsByExtension().get("doc").misses()).isEqualTo(blocks);
  }

  @Test
  @Timeout(60)
  void shouldPrefetchAgainOnceAReaderHasMissed_HoweverOftenAllWasCached() throws IOException {
    int blocks = 2 * RUN;
    byte[] bytes = write(blocks);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      input.readBytes(bytes, 0, bytes.length);
      for (int i = 0; i < 1500; i++) { // The next look would be after 2,048.
        input.prefetch(0, bytes.length);
      }
      assertThat(cache.delegateCounts().prefetchedBlocks()).isZero();
      dropAll();
      input.seek(0);
      input.readByte();
      input.prefetch((long) RUN * BLOCK_BYTES, (long) RUN * BLOCK_BYTES);

      assertThat(cache.delegateCounts().prefetchedBlocks()).isEqualTo(RUN);
    }
  }

  private void dropAll() {
    BlockWalk walk = cache.blocks().control().walk();
    while (walk.next()) {
      cache.blocks().invalidate(walk.fileId(), walk.offset());
    }
  }
}
