// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.lucene.loads.PoolTask;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a merge takes over of its inputs' place in the cache. */
final class MergedHeatTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 24;
  private static final int HOT_FROM = 4;

  /** Four blocks: what Lucene copies at once, so that the compound file's are as hot. */
  private static final int HOT_UNTIL = 8;

  private static final long MOST_NANOS = 30_000_000_000L;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, -1));

  private final FaultyDirectory delegate = new FaultyDirectory(new ByteBuffersDirectory());
  private final LuceneCache cache =
      LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
          .blockBytes(BLOCK_BYTES)
          .prefetchThreads(1) // Which runs one task after the other: see awaitLoader.
          .build();
  private final NvCacheDirectory directory = new NvCacheDirectory(delegate, cache);
  private final byte[] bytes = new byte[BLOCKS * BLOCK_BYTES - 7];

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private long blocks() {
    return cache.blocks().stats().blocks();
  }

  private void writeInput(String name) throws IOException {
    new Random(1).nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private static byte[] read(IndexInput input, int fromBlock, int untilBlock) throws IOException {
    byte[] read = new byte[(untilBlock - fromBlock) * BLOCK_BYTES];
    input.seek((long) fromBlock * BLOCK_BYTES);
    input.readBytes(read, 0, read.length);
    return read;
  }

  /** As codecs merge: a piece is read, and written. */
  private void merge(String from, String to, int pieceBytes) throws IOException {
    try (IndexInput in = directory.openInput(from, IOContext.DEFAULT);
        IndexOutput out = directory.createOutput(to, MERGE)) {
      byte[] piece = new byte[pieceBytes];
      for (long left = in.length(); left > 0; left -= pieceBytes) {
        int length = (int) Math.min(pieceBytes, left);
        in.readBytes(piece, 0, length);
        out.writeBytes(piece, length);
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begun).as("nanoseconds waited").isLessThan(MOST_NANOS);
      LockSupport.parkNanos(100_000);
    }
  }

  private void awaitCarried(long count) {
    await(() -> cache.delegateCounts().carriedBlocks() >= count);
  }

  /** Waits until what was begun before has come to its end. */
  private void awaitLoader() throws InterruptedException {
    CountDownLatch idle = new CountDownLatch(1);
    cache
        .reading()
        .loads()
        .execute(
            new PoolTask() {
              @Override
              public void run() {
                idle.countDown();
              }

              @Override
              public void cancel() {
                throw new IllegalStateException("the pool is full or closed");
              }
            });
    assertThat(idle.await(MOST_NANOS, TimeUnit.NANOSECONDS)).as("the loader ended").isTrue();
  }

  @Test
  void shouldKeepTheHeatUntilTheMergedFilesAreDeleted() throws Exception {
    writeInput("_0.doc");
    writeInput("_9.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    merge("_0.doc", "_1.doc", 100);
    try (IndexInput merged = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      long requests = delegate.requests.get();
      directory.deleteFile("_9.doc");
      awaitLoader();
      assertThat(delegate.requests).as("requests for no place").hasValue(requests);

      directory.deleteFile("_0.doc");
      awaitCarried(HOT_UNTIL - HOT_FROM);
      assertThat(merged.length()).isEqualTo(bytes.length);
    }
  }

  @Test
  void shouldTryAgainWhatTheCacheRefusedWhenFurtherMergedFilesAreDeleted() throws Exception {
    for (String name : new String[] {"_0.doc", "_1.doc"}) {
      writeInput(name);
      try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
        read(in, HOT_FROM, HOT_UNTIL);
      }
    }
    try (IndexInput first = directory.openInput("_0.doc", IOContext.DEFAULT);
        IndexInput second = directory.openInput("_1.doc", IOContext.DEFAULT);
        IndexOutput out = directory.createOutput("_2.doc", MERGE)) {
      out.copyBytes(first, first.length());
      out.copyBytes(second, second.length());
    }
    try (IndexInput merged = directory.openInput("_2.doc", IOContext.DEFAULT)) {
      cache.blocks().control().takeOutOfService("for the test");
      directory.deleteFile("_0.doc");
      awaitLoader();
      cache.blocks().control().returnToService();
      assertThat(cache.delegateCounts().carriedBlocks()).isZero();

      directory.deleteFile("_1.doc");
      awaitCarried(2 * (HOT_UNTIL - HOT_FROM));
      assertThat(merged.length()).isEqualTo(2L * bytes.length);
    }
  }

  @Test
  void shouldLoadWhatWasHotOnceTheMergedFilesAreDeleted() throws IOException {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    assertThat(blocks()).isEqualTo(HOT_UNTIL - HOT_FROM);

    merge("_0.doc", "_1.doc", 100);

    assertThat(blocks()).as("what a merge reads and writes").isEqualTo(HOT_UNTIL - HOT_FROM);
    try (IndexInput merged = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      directory.deleteFile("_0.doc");
      awaitCarried(HOT_UNTIL - HOT_FROM);
      delegate.failOneOf = 1;
      assertThat(read(merged, HOT_FROM, HOT_UNTIL))
          .isEqualTo(Arrays.copyOfRange(bytes, HOT_FROM * BLOCK_BYTES, HOT_UNTIL * BLOCK_BYTES));
      assertThat(delegate.failures).hasValue(0);
    }
    assertThat(cache.delegateCounts().carriedBlocks()).isEqualTo(HOT_UNTIL - HOT_FROM);
  }

  @Test
  void shouldNeitherLoadNorCountWhatReadersCachedBefore() throws Exception {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    merge("_0.doc", "_1.doc", 100);
    try (IndexInput merged = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      read(merged, HOT_FROM, HOT_UNTIL - 1);
      long requested = cache.delegateCounts().requestedBlocks();
      directory.deleteFile("_0.doc");
      awaitLoader();

      assertThat(cache.delegateCounts().carriedBlocks()).isOne();
      assertThat(cache.delegateCounts().requestedBlocks()).isEqualTo(requested + 1);
    }
  }

  @Test
  void shouldLeaveTheHeatToTheNextOpening() throws IOException {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    merge("_0.doc", "_1.doc", 100);
    directory.openInput("_1.doc", IOContext.DEFAULT).close();
    try (IndexInput merged = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      directory.deleteFile("_0.doc");
      awaitCarried(HOT_UNTIL - HOT_FROM);
      assertThat(merged.length()).isEqualTo(bytes.length);
    }
  }

  /** The parts of a segment are merged, and then copied into one file. */
  @Test
  void shouldCarryWhatWasHotIntoACompoundFile() throws IOException {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    merge("_0.doc", "_1.doc", BLOCK_BYTES);
    try (IndexInput part = directory.openChecksumInput("_1.doc");
        IndexOutput out = directory.createOutput("_1.cfs", MERGE)) {
      out.copyBytes(part, part.length());
    }
    directory.deleteFile("_1.doc");
    try (IndexInput merged = directory.openInput("_1.cfs", IOContext.DEFAULT)) {
      directory.deleteFile("_0.doc");
      awaitCarried(HOT_UNTIL - HOT_FROM);
      assertThat(merged.length()).isEqualTo(bytes.length);
    }
  }

  @Test
  void shouldCarryNothingIntoAFileThatIsReadOnce() throws IOException {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    merge("_0.doc", "_1.doc", 1000);
    try (IndexInput merged = directory.openInput("_1.doc", IOContext.READONCE)) {
      long requests = delegate.requests.get();
      directory.deleteFile("_0.doc");
      assertThat(merged.length()).isEqualTo(bytes.length);
      assertThat(delegate.requests).hasValue(requests);
    }
    assertThat(cache.delegateCounts().carriedBlocks()).isZero();
  }

  @Test
  void shouldGoOnWhereTheMergedFileCantBeRead() throws IOException {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(in, HOT_FROM, HOT_UNTIL);
    }
    merge("_0.doc", "_1.doc", 1000);
    try (IndexInput merged = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      delegate.failOneOf = 1;
      directory.deleteFile("_0.doc");
      await(() -> cache.delegateCounts().aheadFailures() > 0);
      delegate.failOneOf = 0;
      assertThat(read(merged, 0, 1)).isEqualTo(Arrays.copyOf(bytes, BLOCK_BYTES));
    }
  }

  @Test
  void shouldTakeAThreadForMergingAsLongAsItWritesAMerge() throws IOException {
    writeInput("_0.doc");
    try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      try (IndexOutput out = directory.createOutput("_1.doc", MERGE)) {
        read(in, 0, 2);
        assertThat(blocks()).as("read by the merge for %s", out).isZero();
      }
      read(in, 2, 4);
      assertThat(blocks()).isEqualTo(2);
    }
  }

  /** Parts of merges above 50 MB are run so. */
  @Test
  void shouldKnowAMergeOnThreadsOfAnExecutor() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    ConcurrentMergeScheduler scheduler =
        new ConcurrentMergeScheduler() {
          @Override
          public Executor getIntraMergeExecutor(MergePolicy.OneMerge merge) {
            return threads;
          }
        };
    try {
      try (IndexWriter writer =
          new IndexWriter(
              directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
        for (int i = 0; i < 40_000; i++) {
          Document document = new Document();
          document.add(new StringField("id", Integer.toString(i), Field.Store.NO));
          document.add(new NumericDocValuesField("number", i * 0x9E3779B97F4A7C15L));
          writer.addDocument(document);
          if (i % 10_000 == 9_999) {
            writer.commit();
          }
        }
      }
      try (IndexWriter writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig().setUseCompoundFile(false).setMergeScheduler(scheduler))) {
        writer.forceMerge(1);
      }
    } finally {
      threads.shutdown();
    }
    FileClassCounts values = cache.countsByExtension().get("dvd");
    FileClassCounts whole = cache.countsByExtension().get("cfs");
    long misses = (values == null ? 0 : values.misses()) + (whole == null ? 0 : whole.misses());
    long once =
        (values == null ? 0 : values.onceMisses()) + (whole == null ? 0 : whole.onceMisses());
    assertThat(misses).isGreaterThan(40_000L * Long.BYTES / BLOCK_BYTES / 2);
    assertThat(once)
        .as("misses that were not offered, of %s", misses)
        .isGreaterThan(misses * 9 / 10);
  }
}
