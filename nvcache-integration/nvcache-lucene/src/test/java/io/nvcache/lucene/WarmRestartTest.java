// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.FileIdentity;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheControl;
import io.nvcache.control.RestoreReport;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.lucene.files.SegmentFileIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process finds of the blocks that an earlier one cached of an index. */
@Timeout(120)
final class WarmRestartTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 50;

  @TempDir private Path directory;

  private BlockCache open() {
    BlockCache cache =
        BlockCache.builder()
            .flash(directory.resolve("flash"), 8 << 20)
            .maxBlockBytes(64 << 10)
            .admission(AdmissionPresets.admitAll())
            .build();
    while (cache.control().restore().state() == State.RESTORING) {
      Thread.onSpinWait();
    }
    return cache;
  }

  private static LuceneCache luceneCache(BlockCache blocks) {
    return LuceneCache.builder(blocks).blockBytes(BLOCK_BYTES).build();
  }

  private static Directory cached(Path index, LuceneCache cache) throws IOException {
    return new NvCacheDirectory(FSDirectory.open(index), cache);
  }

  private static void write(Directory index, String name, byte[] segment, int seed)
      throws IOException {
    try (IndexOutput output = index.createOutput(name, IOContext.DEFAULT)) {
      CodecUtil.writeIndexHeader(output, "Test", 1, segment, "");
      for (int i = 0; i < BLOCKS * BLOCK_BYTES / Integer.BYTES; i++) {
        output.writeInt(seed + i);
      }
      CodecUtil.writeFooter(output);
    }
  }

  /** Reads a file through a cache, compares it, and returns the hits. */
  private long read(BlockCache blocks, Path index, String name, int seed) throws IOException {
    LuceneCache cache = luceneCache(blocks);
    long hitsBefore = blocks.stats().hits();
    try (Directory cached = cached(index, cache);
        IndexInput input = cached.openInput(name, IOContext.DEFAULT)) {
      input.seek(CodecUtil.indexHeaderLength("Test", ""));
      for (int i = 0; i < BLOCKS * BLOCK_BYTES / Integer.BYTES; i++) {
        assertThat(input.readInt()).isEqualTo(seed + i);
      }
    }
    return blocks.stats().hits() - hitsBefore;
  }

  @Test
  void shouldFindTheBlocksOfASegmentAgain_AndNotOfItsNamesake() throws IOException {
    Path index = directory.resolve("index");
    byte[] segment = StringHelper.randomId();
    try (Directory plain = FSDirectory.open(index)) {
      write(plain, "_0.tst", segment, 1);
    }
    long cached;
    try (BlockCache blocks = open()) {
      read(blocks, index, "_0.tst", 1);
      cached = blocks.stats().blocks();
      assertThat(cached).isGreaterThan(BLOCKS / 2);
    }
    try (BlockCache blocks = open()) {
      assertThat(blocks.stats().restoredBlocks()).isEqualTo(cached);
      assertThat(read(blocks, index, "_0.tst", 1)).isGreaterThanOrEqualTo(cached);
    }
    try (Directory plain = FSDirectory.open(index)) {
      plain.deleteFile("_0.tst");
      write(plain, "_0.tst", StringHelper.randomId(), 2);
    }
    try (BlockCache blocks = open()) {
      read(blocks, index, "_0.tst", 2);
    }
  }

  /**
   * As a replica is recovered: the good file comes from another node, under a name of its own at
   * first.
   */
  @Test
  void shouldReadTheFileThatReplacesADamagedOne() throws IOException {
    Path index = directory.resolve("index");
    byte[] segment = StringHelper.randomId();
    writeAlike(index, segment, "_0.tst", "good");
    flip(index.resolve("_0.tst"), BLOCK_BYTES + 100);
    try (BlockCache blocks = open()) {
      LuceneCache cache = luceneCache(blocks);
      try (Directory cached = cached(index, cache)) {
        assertThatThrownBy(() -> checkChecksum(cached)).isInstanceOf(IOException.class);
      }
      assertThat(blocks.stats().blocks()).isPositive();
      try (Directory cached = cached(index, cache)) {
        replaceByGood(cached);
      }
    }
    try (BlockCache blocks = open();
        Directory next = cached(index, luceneCache(blocks))) {
      checkChecksum(next);
    }
  }

  /** The damaged file is deleted while its blocks are known, and read little before the restart. */
  @Test
  void shouldRestoreNoBlockOfADamagedFileThatWasReplacedWhileItWasOpen() throws IOException {
    Path index = directory.resolve("index");
    byte[] segment = StringHelper.randomId();
    writeAlike(index, segment, "_0.tst", "good", "_1.tst");
    flip(index.resolve("_0.tst"), BLOCK_BYTES + 100);
    try (BlockCache blocks = open()) {
      LuceneCache cache = luceneCache(blocks);
      try (Directory cached = cached(index, cache)) {
        readDamagedAndOther(cached);
        replaceByGood(cached);
      }
    }
    try (BlockCache blocks = open();
        Directory next = cached(index, luceneCache(blocks))) {
      checkChecksum(next);
    }
  }

  /** A copy that is written by hand is known as another file once it is opened. */
  @Test
  void shouldRestoreNoBlockOfADamagedFileThatWasWrittenAnewByTheNextProcess() throws IOException {
    Path index = directory.resolve("index");
    byte[] segment = StringHelper.randomId();
    writeAlike(index, segment, "_0.tst", "_1.tst");
    flip(index.resolve("_0.tst"), BLOCK_BYTES + 100);
    try (BlockCache blocks = open();
        Directory cached = cached(index, luceneCache(blocks))) {
      readDamagedAndOther(cached);
    }
    try (BlockCache blocks = open();
        Directory next = cached(index, luceneCache(blocks))) {
      next.deleteFile("_0.tst");
      write(next, "_0.tst", segment, 1);
      checkChecksum(next);
    }
  }

  /** The process ends before anyone has opened the file that replaces the damaged one. */
  @ParameterizedTest
  @EnumSource(Replacement.class)
  void shouldRestoreNoBlockOfADamagedFileWhoseReplacementWasNotOpened(Replacement replacement)
      throws IOException {
    Path index = directory.resolve("index");
    Path good = directory.resolve("good");
    byte[] segment = StringHelper.randomId();
    for (Path folder : new Path[] {index, good}) {
      writeAlike(folder, segment, "_0.tst", "_1.tst");
    }
    flip(index.resolve("_0.tst"), BLOCK_BYTES + 100);
    try (BlockCache blocks = open()) {
      LuceneCache cache = luceneCache(blocks);
      Directory cached = cached(index, cache);
      readDamagedAndOther(cached);
      if (replacement == Replacement.RENAMED) {
        replace(cached, good, replacement);
      }
      cached.close();
      if (replacement == Replacement.RENAMED_IN_ANOTHER_DIRECTORY) {
        try (Directory next = cached(index, cache)) {
          replace(next, good, replacement);
        }
      }
    }
    if (replacement == Replacement.COPIED_BY_THE_NEXT_PROCESS) {
      try (BlockCache blocks = open();
          Directory next = cached(index, luceneCache(blocks))) {
        replace(next, good, replacement);
      }
    }
    try (BlockCache blocks = open();
        Directory next = cached(index, luceneCache(blocks))) {
      assertThat(blocks.stats().restoredBlocks()).as("of the other file").isPositive();
      checkChecksum(next);
    }
  }

  private enum Replacement {
    RENAMED,
    RENAMED_IN_ANOTHER_DIRECTORY,
    COPIED_BY_THE_NEXT_PROCESS
  }

  private static void replace(Directory cached, Path good, Replacement replacement)
      throws IOException {
    cached.deleteFile("_0.tst");
    try (Directory from = FSDirectory.open(good)) {
      if (replacement == Replacement.COPIED_BY_THE_NEXT_PROCESS) {
        cached.copyFrom(from, "_0.tst", "_0.tst", IOContext.flush(new FlushInfo(1, 1)));
        return;
      }
      String name;
      try (IndexInput input = from.openInput("_0.tst", IOContext.READONCE);
          IndexOutput output = cached.createTempOutput("recovery", "", IOContext.DEFAULT)) {
        output.copyBytes(input, input.length());
        name = output.getName();
      }
      cached.rename(name, "_0.tst");
    }
  }

  /** A node that indexes makes files all the time, also while the blocks of before come back. */
  @Test
  void shouldLeaveTheBlocksOfBefore_HoweverManyFilesAreFlushedDuringTheRestore()
      throws IOException {
    Path index = directory.resolve("index");
    try (Directory plain = FSDirectory.open(index)) {
      write(plain, "_0.tst", StringHelper.randomId(), 1);
    }
    long cached;
    try (BlockCache blocks = open()) {
      read(blocks, index, "_0.tst", 1);
      cached = blocks.stats().blocks();
    }
    try (BlockCache blocks = new RestoringCache(open())) {
      LuceneCache cache = luceneCache(blocks);
      try (Directory memory = new ByteBuffersDirectory();
          Directory indexing = cached(index, cache)) {
        for (int i = 0; i < 200; i++) { // A medium keeps fewer files apart.
          IOContext flush = IOContext.flush(new FlushInfo(1, 1));
          make(indexing, "_1_" + i + ".tst", flush);
          make(indexing, "_1_" + i + ".liv", IOContext.DEFAULT);
          make(memory, "_2_" + i + ".tst", IOContext.DEFAULT);
          String name = "_2_" + i + ".tst"; // As NRTCachingDirectory does.
          indexing.copyFrom(memory, name, name, IOContext.DEFAULT);
          indexing.openInput(name, IOContext.DEFAULT).close();
          make(indexing, "pending_segments_" + i, IOContext.DEFAULT);
          indexing.rename("pending_segments_" + i, "segments_" + i);
          indexing.openInput("segments_" + i, IOContext.READONCE).close();
        }
      }
    }
    try (BlockCache blocks = open()) {
      assertThat(read(blocks, index, "_0.tst", 1)).isGreaterThanOrEqualTo(cached);
    }
  }

  private static void make(Directory indexing, String name, IOContext context) throws IOException {
    try (IndexOutput output = indexing.createOutput(name, context)) {
      CodecUtil.writeIndexHeader(output, "Test", 1, StringHelper.randomId(), "");
      CodecUtil.writeFooter(output);
    }
    indexing.openInput(name, IOContext.DEFAULT).close();
  }

  /** Says that the blocks of before are being restored, for as long as it is open. */
  private static final class RestoringCache extends ForwardingBlockCache {
    RestoringCache(BlockCache cache) {
      super(cache);
    }

    @Override
    public CacheControl control() {
      CacheControl control = super.control();
      RestoreReport restoring =
          new RestoreReport(State.RESTORING, "", 1, 0, 0, 0, Map.of(), Map.of(), Duration.ZERO);
      return (CacheControl)
          Proxy.newProxyInstance(
              CacheControl.class.getClassLoader(),
              new Class<?>[] {CacheControl.class},
              (proxy, method, arguments) ->
                  method.getName().equals("restore")
                      ? restoring
                      : method.invoke(control, arguments));
    }
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private static void checkChecksum(Directory cached) throws IOException {
    checkChecksum(cached, "_0.tst");
  }

  private static void checkChecksum(Directory cached, String name) throws IOException {
    try (IndexInput input = cached.openInput(name, IOContext.DEFAULT)) {
      // Of a part, however long: that of the file would not be of cached blocks.
      CodecUtil.checksumEntireFile(input.slice("all", 0, input.length()));
    }
  }

  /** Writes files of one segment with the same bytes. */
  private static void writeAlike(Path folder, byte[] segment, String... names) throws IOException {
    try (Directory plain = FSDirectory.open(folder)) {
      for (String name : names) {
        write(plain, name, segment, 1);
      }
    }
  }

  /** Reads one byte: all other blocks are those of before, if they come back. */
  private static void replaceByGood(Directory cached) throws IOException {
    cached.deleteFile("_0.tst");
    cached.rename("good", "_0.tst");
    try (IndexInput input = cached.openInput("_0.tst", IOContext.DEFAULT)) {
      input.readByte();
    }
  }

  /** The other file keeps the region from being empty. */
  private static void readDamagedAndOther(Directory cached) throws IOException {
    assertThatThrownBy(() -> checkChecksum(cached)).isInstanceOf(IOException.class);
    checkChecksum(cached, "_1.tst");
  }

  @Test
  void shouldLeaveABlockToTheDirectoryThatHasTheFileOpen() throws IOException {
    Path index = directory.resolve("index");
    try (Directory plain = FSDirectory.open(index)) {
      write(plain, "_0.tst", StringHelper.randomId(), 1);
    }
    try (BlockCache blocks = open()) {
      LuceneCache cache = luceneCache(blocks);
      try (Directory searched = cached(index, cache)) {
        readAll(searched);
        try (Directory other = cached(index, cache)) {
          readAll(other);
        }
        long misses = blocks.stats().misses();
        readAll(searched);
        assertThat(blocks.stats().misses()).isEqualTo(misses);
      }
      long misses = blocks.stats().misses();
      try (Directory next = cached(index, cache)) {
        readAll(next);
      }
      assertThat(blocks.stats().misses()).as("found by the next one").isEqualTo(misses);
    }
  }

  private static void readAll(Directory cached) throws IOException {
    try (IndexInput input = cached.openInput("_0.tst", IOContext.DEFAULT)) {
      for (long i = 0; i < BLOCKS; i++) {
        input.seek(i * BLOCK_BYTES);
        input.readByte();
      }
    }
  }

  @Test
  void shouldKnowOnlyWhatACodecWrote_ByAllThatTellsItApart() throws IOException {
    byte[] segment = StringHelper.randomId();
    try (Directory plain = FSDirectory.open(directory.resolve("index"))) {
      write(plain, "_0.tst", segment, 1);
      write(plain, "_1.tst", segment, 1);
      write(plain, "_2.tst", StringHelper.randomId(), 1);
      try (IndexOutput output = plain.createOutput("plain", IOContext.DEFAULT)) {
        output.writeLong(1);
      }
      Optional<FileIdentity> first = identity(plain, "_0.tst", BLOCK_BYTES);
      assertThat(first).isPresent().isEqualTo(identity(plain, "_0.tst", BLOCK_BYTES));
      assertThat(identity(plain, "_1.tst", BLOCK_BYTES)).isPresent().isNotEqualTo(first);
      assertThat(identity(plain, "_2.tst", BLOCK_BYTES)).isPresent().isNotEqualTo(first);
      assertThat(identity(plain, "_0.tst", 2 * BLOCK_BYTES)).isPresent().isNotEqualTo(first);
      assertThat(identity(plain, "plain", BLOCK_BYTES)).isEmpty();
    }
  }

  @Test
  void shouldFindTheBlocksOfASegmentAgain_WhoseDirectoryWasClosedDuringAnOffer()
      throws IOException {
    Path index = directory.resolve("index");
    try (Directory plain = FSDirectory.open(index)) {
      write(plain, "_0.tst", StringHelper.randomId(), 1);
    }
    long cached;
    try (ClosingCache blocks = new ClosingCache(open())) {
      LuceneCache cache = luceneCache(blocks);
      Directory closing = cached(index, cache);
      try (IndexInput input = closing.openInput("_0.tst", IOContext.DEFAULT)) {
        for (long i = 0; i < BLOCKS - 1; i += 2) {
          input.seek(i * BLOCK_BYTES);
          input.readByte();
        }
        cached = blocks.stats().blocks();
        assertThat(cached).isPositive();
        blocks.duringOffer = closing;
        input.seek((BLOCKS - 1L) * BLOCK_BYTES);
        input.readByte();
      }
      assertThat(blocks.duringOffer).as("what an offer was to close").isNull();
    }
    try (BlockCache blocks = open()) {
      assertThat(read(blocks, index, "_0.tst", 1)).isGreaterThanOrEqualTo(cached);
    }
  }

  @Test
  void shouldForgetAFileThatNoCodecWroteWithItsDirectory() throws IOException {
    byte[] bytes = new byte[BLOCKS * BLOCK_BYTES];
    try (BlockCache blocks = open()) {
      LuceneCache cache = luceneCache(blocks);
      try (Directory cached = new NvCacheDirectory(new ByteBuffersDirectory(), cache)) {
        try (IndexOutput output = cached.createOutput("plain", IOContext.DEFAULT)) {
          output.writeBytes(bytes, bytes.length);
        }
        try (IndexInput input = cached.openInput("plain", IOContext.DEFAULT)) {
          input.readBytes(bytes, 0, bytes.length);
        }
        assertThat(blocks.stats().blocks()).isPositive();
      }
      blocks.control().maintain();
      assertThat(blocks.control().walk().next()).isFalse();
    }
  }

  /** Closes a directory before an offer returns. */
  private static final class ClosingCache extends ForwardingBlockCache {
    private @Nullable Directory duringOffer;

    ClosingCache(BlockCache cache) {
      super(cache);
    }

    @Override
    public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
      OfferResult result = super.offer(fileId, offset, block, source);
      Directory closing = duringOffer;
      duringOffer = null;
      try {
        if (closing != null) {
          closing.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return result;
    }
  }

  /** Notes which bytes are named. */
  private static final class NamedCache extends ForwardingBlockCache {
    private final Map<Long, Byte> offered = new ConcurrentHashMap<>();
    private final List<Byte> named = new CopyOnWriteArrayList<>();

    NamedCache(BlockCache cache) {
      super(cache);
    }

    @Override
    public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
      offered.put(fileId, block.get(block.position()));
      return super.offer(fileId, offset, block, source);
    }

    @Override
    public void identify(long fileId, FileIdentity identity) {
      named.add(offered.get(fileId));
      super.identify(fileId, identity);
    }
  }

  /** As one whose upload has just ended, and which is replaced before it is named. */
  @Test
  void shouldNotNameAFileByTheIdentityOfTheOneThatItReplaces() throws Exception {
    Path index = directory.resolve("index");
    NamedCache blocks = new NamedCache(open());
    LuceneCache cache = luceneCache(blocks);
    try (blocks;
        NamingDirectory cached = new NamingDirectory(FSDirectory.open(index), cache)) {
      cached.replace((byte) 1);
      Thread replacing = new Thread(() -> cached.replaceUnchecked((byte) 2));
      cached.identify(
          "_0.doc",
          () -> {
            replacing.start();
            while (replacing.isAlive() && replacing.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
            return FileIdentity.of("test", "object");
          });
      replacing.join();
      assertThat(blocks.named).containsExactly((byte) 1);
    }
  }

  private static final class NamingDirectory extends NvCacheDirectory {
    NamingDirectory(Directory delegate, LuceneCache cache) {
      super(delegate, cache);
    }

    /** Writes a file over one that exists, and reads it. */
    void replace(byte content) throws IOException {
      byte[] bytes = new byte[BLOCK_BYTES];
      Arrays.fill(bytes, content);
      if (Arrays.asList(listAll()).contains("_0.doc")) {
        deleteFile("_0.doc");
      }
      try (IndexOutput output = createOutput("_0.doc", IOContext.DEFAULT)) {
        output.writeBytes(bytes, bytes.length);
      }
      try (IndexInput input = openInput("_0.doc", IOContext.DEFAULT)) {
        assertThat(input.readByte()).isEqualTo(content);
      }
    }

    void replaceUnchecked(byte content) {
      try {
        replace(content);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Optional<FileIdentity> identity(Directory plain, String name, int blockBytes)
      throws IOException {
    try (IndexInput input = plain.openInput(name, IOContext.DEFAULT)) {
      return SegmentFileIdentity.of(name, input, DescribedInput.readFooter(input), blockBytes);
    }
  }
}
