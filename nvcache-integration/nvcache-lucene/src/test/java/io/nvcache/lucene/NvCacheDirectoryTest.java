// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.Checksum;
import io.nvcache.OfferResult;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NvCacheDirectoryTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 24;
  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, -1));

  private final Directory files = new ByteBuffersDirectory();
  private final FaultyDirectory delegate = new FaultyDirectory(files);
  private LuceneCache cache;
  private NvCacheDirectory directory;

  @BeforeEach
  void open() {
    open(LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build()));
  }

  private void open(LuceneCacheBuilder builder) {
    cache = builder.blockBytes(BLOCK_BYTES).build();
    directory = new NvCacheDirectory(delegate, cache);
  }

  private void reopen(LuceneCacheBuilder builder) {
    cache.close();
    open(builder);
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private static byte[] content(int seed) {
    byte[] bytes = new byte[BLOCKS * BLOCK_BYTES - 7];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void write(Directory where, String name, byte[] bytes) throws IOException {
    try (IndexOutput out = where.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private static byte[] read(IndexInput input) throws IOException {
    byte[] bytes = new byte[(int) input.length()];
    input.seek(0);
    input.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  private byte[] read(String name, IOContext context) throws IOException {
    try (IndexInput input = directory.openInput(name, context)) {
      return read(input);
    }
  }

  private long blocks() {
    return cache.blocks().stats().blocks();
  }

  private FileClassCounts counts(String extension) {
    return cache.countsByExtension().get(extension);
  }

  @Test
  void shouldLeaveTheJudgementOfTheDriveToWhatIsMeasured(@TempDir Path folder) throws IOException {
    BlockCache blocks = BlockCache.builder().mappedFile(folder.resolve("cache"), 1 << 20).build();
    LuceneCache cache = LuceneCache.builder(blocks).build();
    Directory files = new NIOFSDirectory(folder.resolve("index"));

    try (NvCacheDirectory directory = new NvCacheDirectory(files, cache)) {
      assertThat(directory).isNotNull();
      assertThat(blocks.control().conditions()).isEmpty(); // The same drive, and that alone.
    } finally {
      TestCaches.close(cache);
    }
  }

  @Test
  void shouldReadABlockFromTheDelegateOnce() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(bytes);
    assertThat(blocks()).isEqualTo(BLOCKS);
    long hits = counts("doc").hits();
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      delegate.failOneOf = 1;
      assertThat(read(input)).isEqualTo(bytes);
    }
    assertThat(counts("doc").hits() - hits).isEqualTo(BLOCKS);
    assertThat(delegate.failures).hasValue(0);
  }

  @Test
  void shouldForgetAFileThatIsDeleted() throws IOException {
    write(directory, "_0.doc", content(1));
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(input);
      directory.deleteFile("_0.doc");
      cache.blocks().control().maintain();

      read(input); // As with files that are open: still there, but not offered any more.
      input.seek(0);
      input.clone().readByte();
    }
    cache.blocks().control().maintain();
    assertThat(cache.blocks().control().walk().next()).isFalse();
    assertThatThrownBy(() -> directory.openInput("_0.doc", IOContext.DEFAULT))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void shouldReadTheNewFileOfAName() throws IOException {
    byte[] second = content(2);
    write(directory, "_0.doc", content(1));
    read("_0.doc", IOContext.DEFAULT);
    directory.deleteFile("_0.doc");
    write(directory, "_0.doc", second);

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(second);
  }

  @Test
  void shouldReadTheRenamedFileOfAName() throws IOException {
    byte[] second = content(2);
    write(directory, "pending", second);
    write(directory, "_0.doc", content(1));
    read("_0.doc", IOContext.DEFAULT);
    read("pending", IOContext.DEFAULT);
    directory.deleteFile("_0.doc");
    directory.rename("pending", "_0.doc");

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(second);
  }

  /** A file that neither its length nor its end distinguishes from another one. */
  private static byte[] lookalike(int seed) {
    byte[] bytes = content(seed);
    Arrays.fill(bytes, bytes.length - 64, bytes.length, (byte) 0);
    return bytes;
  }

  /** Runs what must not come between, until it has: or, as it should, waits. */
  private static Thread runBetween(Change change) {
    Thread thread = new Thread(() -> change.makeUnchecked());
    thread.start();
    while (thread.isAlive() && !WAITING.contains(thread.getState())) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;

    default void makeUnchecked() {
      try {
        make();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  @Timeout(60)
  void shouldNotTakeAFileThatIsReplacedDuringTheOpeningForTheNewOne() throws Exception {
    byte[] second = lookalike(2);
    write(directory, "_0.doc", lookalike(1));
    AtomicReference<Thread> replacing = new AtomicReference<>();
    delegate.whileOpening =
        () -> {
          delegate.whileOpening = () -> {};
          replacing.set(
              runBetween(
                  () -> {
                    directory.deleteFile("_0.doc");
                    write(directory, "_0.doc", second);
                  }));
        };

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(lookalike(1));
    replacing.get().join();

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(second);
  }

  @Test
  @Timeout(60)
  void shouldNotTakeAFileThatIsRenamedDuringTheOpeningForTheNewOne(@TempDir Path folder)
      throws Exception {
    byte[] second = lookalike(2);
    FaultyDirectory disk =
        new FaultyDirectory(new NIOFSDirectory(folder)); // It renames onto files.
    try (NvCacheDirectory renaming = new NvCacheDirectory(disk, cache)) {
      write(renaming, "_0.doc", lookalike(1));
      write(renaming, "pending", second);
      AtomicReference<Thread> opening = new AtomicReference<>();
      disk.whileRenaming =
          () ->
              opening.set(
                  runBetween(
                      () -> {
                        try (IndexInput input = renaming.openInput("_0.doc", IOContext.DEFAULT)) {
                          read(input);
                        }
                      }));

      renaming.rename("pending", "_0.doc");
      opening.get().join();

      try (IndexInput input = renaming.openInput("_0.doc", IOContext.DEFAULT)) {
        assertThat(read(input)).isEqualTo(second);
      }
    }
  }

  @Test
  void shouldReadTheNewFileOfATemporaryName() throws IOException {
    reopen(
        LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
            .rule("tmp", CacheRule.CACHE));
    Directory oneName =
        new FilterDirectory(files) {
          @Override
          public IndexOutput createTempOutput(String start, String suffix, IOContext context)
              throws IOException {
            return super.createOutput("_0.tmp", context);
          }
        };
    byte[] second = lookalike(2);
    try (NvCacheDirectory temporary = new NvCacheDirectory(oneName, cache)) {
      for (byte[] bytes : new byte[][] {lookalike(1), second}) {
        try (IndexOutput out = temporary.createTempOutput("_0", "tmp", IOContext.DEFAULT)) {
          out.writeBytes(bytes, bytes.length);
        }
        try (IndexInput input = temporary.openInput("_0.tmp", IOContext.DEFAULT)) {
          assertThat(read(input)).isEqualTo(bytes);
        }
        files.deleteFile("_0.tmp"); // By another user of the folder.
      }
    }
  }

  @Test
  void shouldSeeThatSomebodyElseReplacedAFile() throws IOException {
    byte[] second = content(2);
    write(directory, "_0.doc", content(1));
    read("_0.doc", IOContext.DEFAULT);
    files.deleteFile("_0.doc");
    write(files, "_0.doc", second);

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(second);
  }

  @Test
  void shouldKeepNothingOfWhatIsReadOnce() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);

    assertThat(read("_0.doc", MERGE)).isEqualTo(bytes);
    assertThat(read("_0.doc", IOContext.READONCE)).isEqualTo(bytes);
    try (ChecksumIndexInput input = directory.openChecksumInput("_0.doc")) {
      input.seek(input.length());
    }

    assertThat(blocks()).isZero();
    assertThat(counts("doc").onceMisses()).isGreaterThanOrEqualTo(BLOCKS - 1L);
    assertThat(counts("doc").bypassedOpens()).isEqualTo(2);
  }

  @Test
  void shouldServeWhatIsMergedFromTheCache() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    read("_0.doc", IOContext.DEFAULT);
    try (IndexInput input = directory.openInput("_0.doc", MERGE)) {
      delegate.failOneOf = 1;
      assertThat(read(input)).isEqualTo(bytes);
    }
  }

  @Test
  void shouldPassOverFilesByExtension() throws IOException {
    reopen(
        LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
            .rule("FDT", CacheRule.BYPASS)
            .rule("tim", CacheRule.ONCE));
    byte[] bytes = content(1);
    for (String name : new String[] {"_0.fdt", "_0.tim"}) {
      write(directory, name, bytes);
      assertThat(read(name, IOContext.DEFAULT)).isEqualTo(bytes);
    }

    assertThat(blocks()).isZero();
    assertThat(counts("fdt")).isEqualTo(new FileClassCounts(0, 0, 0, 1));
    assertThat(counts("tim")).isEqualTo(new FileClassCounts(0, BLOCKS, BLOCKS, 0));
  }

  @Test
  void shouldPassOverReadsByTheHintOfTheirContext() throws IOException {
    reopen(
        LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
            .rule("doc", CacheRule.ONCE)
            .rule(FileDataHint.KNN_VECTORS, CacheRule.BYPASS)
            .rule(DataAccessHint.SEQUENTIAL, CacheRule.CACHE));
    byte[] bytes = content(1);
    write(directory, "_0.vec", bytes);
    write(directory, "_0.doc", bytes);
    IOContext vectors = IOContext.DEFAULT.withHints(FileDataHint.KNN_VECTORS);

    assertThat(read("_0.vec", vectors)).isEqualTo(bytes);
    assertThat(read("_0.doc", IOContext.DEFAULT.withHints(DataAccessHint.SEQUENTIAL)))
        .isEqualTo(bytes);
    assertThat(counts("vec")).isEqualTo(new FileClassCounts(0, 0, 0, 1));
    assertThat(counts("doc").onceMisses()).isEqualTo(BLOCKS);
    assertThat(blocks()).isZero();
    try (IndexInput input = directory.openInput("_0.vec", IOContext.DEFAULT)) {
      input.updateIOContext(vectors);
      assertThat(read(input)).isEqualTo(bytes);
      assertThat(blocks()).isZero();
      input.updateIOContext(IOContext.DEFAULT);
      assertThat(read(input)).isEqualTo(bytes);
      assertThat(blocks()).isEqualTo(BLOCKS);
    }
  }

  @Test
  void shouldKnowTheFilesThatACompoundFileIsMadeOf() throws IOException {
    reopen(
        LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
            .rule("fdt", CacheRule.BYPASS)
            .rule("tim", CacheRule.ONCE));
    IndexWriterConfig compound = new IndexWriterConfig().setUseCompoundFile(true);
    try (IndexWriter writer = new IndexWriter(directory, compound)) {
      for (int i = 0; i < 500; i++) {
        Document document = new Document();
        document.add(new TextField("text", "all t" + i % 50, Field.Store.YES));
        writer.addDocument(document);
      }
    }
    assertThat(directory.listAll()).anyMatch(name -> name.endsWith(".cfs"));
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int i = 0; i < 50; i++) {
        TopDocs found = searcher.search(new TermQuery(new Term("text", "t" + i)), 10);
        assertThat(found.totalHits.value()).isEqualTo(10);
        for (ScoreDoc hit : found.scoreDocs) {
          assertThat(searcher.storedFields().document(hit.doc).get("text")).isEqualTo("all t" + i);
        }
      }
    }
    assertThat(counts("fdt").bypassedOpens()).isPositive();
    assertThat(counts("fdt").hits() + counts("fdt").misses()).isZero();
    assertThat(counts("tim").hits()).isPositive();
    assertThat(counts("tim").misses()).isEqualTo(counts("tim").onceMisses());
    assertThat(counts("doc").hits()).isPositive();
  }

  @Test
  void shouldCoalesceAdjacentMisses() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      delegate.requests.set(0);

      assertThat(read(input)).isEqualTo(bytes);

      assertThat(delegate.requests).hasValue(1);
    }
    assertThat(cache.delegateCounts().requestedBlocks()).isEqualTo(BLOCKS);
    assertThat(blocks()).isEqualTo(BLOCKS);
  }

  @Test
  void shouldAskForNoBlockThatIsCached() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      input.seek(2 * BLOCK_BYTES);
      input.readByte();
      input.seek(0);

      assertThat(read(input)).isEqualTo(bytes);

      assertThat(cache.delegateCounts().requests()).isEqualTo(3);
    }
    assertThat(cache.delegateCounts().requestedBlocks()).isEqualTo(BLOCKS);
    assertThat(blocks()).isEqualTo(BLOCKS);
  }

  @Test
  @Timeout(60)
  void shouldJoinAPrefetch() throws Exception {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      CountDownLatch hold = new CountDownLatch(1);
      delegate.requests.set(0);
      delegate.hold = hold;
      input.prefetch(BLOCK_BYTES + 1, 3 * BLOCK_BYTES);
      while (delegate.requests.get() == 0) {
        Thread.onSpinWait();
      }
      AtomicReference<Thread> reader = new AtomicReference<>();
      CompletableFuture<byte[]> reading =
          CompletableFuture.supplyAsync(
              () -> {
                reader.set(Thread.currentThread());
                byte[] read = new byte[3 * BLOCK_BYTES];
                try {
                  IndexInput clone = input.clone();
                  clone.seek(BLOCK_BYTES);
                  clone.readBytes(read, 0, read.length);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
                return read;
              });
      while (reader.get() == null || !WAITING.contains(reader.get().getState())) {
        Thread.onSpinWait(); // Until it has joined, which it can't when the load has ended.
      }
      hold.countDown();

      assertThat(reading.get()).isEqualTo(Arrays.copyOfRange(bytes, BLOCK_BYTES, 4 * BLOCK_BYTES));
      assertThat(delegate.requests).hasValue(1);
      assertThat(cache.delegateCounts().prefetchedBlocks()).isEqualTo(4);
      assertThat(cache.delegateCounts().requests()).isEqualTo(1);
    }
  }

  @Test
  @Timeout(60)
  void shouldJoinReadsOfOneBlock() throws Exception {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      CountDownLatch hold = new CountDownLatch(1);
      delegate.requests.set(0);
      delegate.hold = hold;
      Thread[] threads = new Thread[6];
      AtomicReference<Throwable> failure = new AtomicReference<>();
      for (int i = 0; i < threads.length; i++) {
        IndexInput clone = input.clone();
        threads[i] =
            new Thread(
                () -> {
                  try {
                    assertThat(clone.readByte()).isEqualTo(bytes[0]);
                  } catch (IOException | AssertionError e) {
                    failure.set(e);
                  }
                });
        threads[i].start();
      }
      while (cache.countsByExtension().get("doc").misses() < threads.length) {
        Thread.onSpinWait(); // All have looked the block up and found nothing.
      }
      hold.countDown();
      for (Thread thread : threads) {
        thread.join();
      }

      assertThat(failure).hasValue(null);
      assertThat(delegate.requests.get()).isLessThan(threads.length);
    }
  }

  @Test
  void shouldReadABlockItselfWhosePrefetchFailed() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      delegate.failOneOf = 1;
      input.prefetch(0, BLOCK_BYTES);
      while (cache.delegateCounts().aheadFailures() == 0) {
        Thread.onSpinWait();
      }
      delegate.failOneOf = 0;

      assertThat(read(input)).isEqualTo(bytes);
    }
  }

  @Test
  void shouldReadABlockItselfWhosePrefetchFailedUnchecked() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      delegate.failOneOf = 1;
      delegate.failUnchecked = true;
      input.prefetch(0, BLOCK_BYTES);
      while (cache.delegateCounts().aheadFailures() == 0) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> read(input)).isInstanceOf(IllegalStateException.class);
      delegate.failOneOf = 0;

      assertThat(read(input)).isEqualTo(bytes);
    }
  }

  @Test
  @Timeout(60)
  void shouldLeaveNoLoadBehindWhereReadsOverlap() {
    Seeds.each(
        20,
        random -> {
          try {
            readOverlapping(random);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  private void readOverlapping(Random random) throws Exception {
    String name = "_" + Integer.toString(random.nextInt(1 << 20), 36) + ".doc";
    byte[] bytes = content(1);
    write(directory, name, bytes);
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      List<CompletableFuture<Void>> readers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int begin = random.nextInt(4) * BLOCK_BYTES;
        IndexInput clone = input.clone();
        readers.add(
            CompletableFuture.runAsync(
                () -> {
                  byte[] read = new byte[bytes.length - begin];
                  try {
                    clone.seek(begin);
                    clone.readBytes(read, 0, read.length);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                  assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, begin, bytes.length));
                }));
      }
      for (CompletableFuture<Void> reader : readers) {
        reader.get();
      }
    }
    assertThat(cache.reading().loads().pending()).as("loads that no thread completes").isZero();
    directory.deleteFile(name);
  }

  @Test
  void shouldHoldNoMorePinsThanPlacesForClonesThatAreForgotten() throws IOException {
    reopen(LuceneCache.builder(pinning()));
    write(directory, "_0.doc", content(1));
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(input);
      for (int i = 0; i < 5_000; i++) {
        IndexInput clone = input.clone();
        clone.seek((long) i % BLOCKS * BLOCK_BYTES);
        clone.readByte();
      }
      long pinned = cache.blocks().stats().pinnedBytes();
      assertThat(pinned).isPositive().isLessThanOrEqualTo(1024L * BLOCK_BYTES);
      assertThat(cache.blocks().stats().refusedPins()).isZero();
    }
    assertThat(cache.blocks().stats().pinnedBytes()).isZero();
  }

  /** A block cache whose blocks can't be read in place. */
  private static BlockCache pinning() {
    return TestCaches.blocks(BLOCK_BYTES, 8 << 20).checksum(Checksum.CRC32C).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(60)
  void shouldLeaveNoPinWhereFilesAreClosedUnderTheirReaders(boolean pins) throws Exception {
    if (pins) {
      reopen(LuceneCache.builder(pinning()));
    }
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    for (int round = 0; round < 200; round++) {
      IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT);
      AtomicBoolean stop = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      IndexInput clone = input.clone();
      Thread reader =
          new Thread(
              () -> {
                try {
                  for (int i = 0; !stop.get(); i++) {
                    int at = i * 5_003 % bytes.length;
                    clone.seek(at);
                    assertThat(clone.readByte()).isEqualTo(bytes[at]);
                  }
                } catch (AlreadyClosedException e) {
                  // As it should be.
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      reader.start();
      Thread.sleep(0, 100_000);
      input.close();
      reader.join(20);
      stop.set(true);
      reader.join();
      assertThat(failure).hasValue(null);
      assertThat(cache.blocks().stats().pinnedBytes()).as("round %s", round).isZero();
    }
  }

  @Test
  void shouldTellThatAFileIsLoaded() throws IOException {
    write(directory, "_0.doc", content(1));
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      assertThat(input.isLoaded()).isEmpty();
      read(input);
      assertThat(input.isLoaded()).contains(true);
    }
  }

  @Test
  void shouldGoOnWithoutACacheThatIsClosed() throws IOException {
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(input);
      cache.close();
      long requests = cache.delegateCounts().requests();
      assertThat(read(input)).isEqualTo(bytes);
      input.seek(BLOCK_BYTES);
      assertThat(input.readByte()).isEqualTo(bytes[BLOCK_BYTES]);
      assertThat(cache.delegateCounts().requests()).as("requests by blocks").isEqualTo(requests);
    }
    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(bytes);
  }

  @Test
  void shouldReadBlocksThatTheCacheDoesNotTake() throws IOException {
    BlockCache blocks = TestCaches.blocks(BLOCK_BYTES, 8 << 20).build();
    reopen(LuceneCache.builder(blocks));
    blocks.control().takeOutOfService("for the test");
    byte[] bytes = content(1);
    write(directory, "_0.doc", bytes);

    assertThat(read("_0.doc", IOContext.DEFAULT)).isEqualTo(bytes);
    assertThat(blocks.stats().offers(OfferResult.OUT_OF_SERVICE)).isPositive();
  }

  @Test
  void shouldRefuseSettingsThatCannotBe() {
    LuceneCacheBuilder builder = LuceneCache.builder(cache.blocks());
    assertThatThrownBy(() -> builder.blockBytes(1000)).hasMessageContaining("power of two");
    assertThatThrownBy(() -> builder.rule("_0.fdt", CacheRule.ONCE)).hasMessageContaining("dot");
    assertThatThrownBy(() -> builder.prefetchThreads(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> builder.readAheadBytes(-1)).hasMessageContaining("-1");
  }
}
