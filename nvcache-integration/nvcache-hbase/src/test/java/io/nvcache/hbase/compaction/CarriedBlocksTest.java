// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.Source;
import io.nvcache.hbase.LocalCluster;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.SampleHFile;
import io.nvcache.hbase.StoreFiles;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.DataTiering;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hot blocks of a real HFile that are read back from a file system which counts. */
@Timeout(60)
class CarriedBlocksTest {
  private static final long SEED = 11;
  private static final long STORE = HotRows.storeOf(TableName.valueOf("t"), new byte[] {'f'});
  private static final int READS_OF_A_ROW = 4;
  private static final long CAPACITY_BYTES = 16 << 20;
  private static final int CHECKSUMS_BEGIN = 24;
  private static final int CHECKSUMS_END = HConstants.HFILEBLOCK_HEADER_SIZE;

  @TempDir private java.nio.file.Path directory;

  private final Configuration configuration = new Configuration();

  /** Of a machine that is never busy, or else carrying ahead may end at any block. */
  private final AtomicLong now = new AtomicLong();

  private final AtomicLong nanosBetweenLooks = new AtomicLong();
  private NvHBaseBlockCache cache = cacheHolding(0);
  private SampleHFile sample;
  private HStoreFile input;
  private HStoreFile output;
  private int readsToCarry;
  private final AtomicBoolean isServed = new AtomicBoolean(true);
  private Runnable whenHalfWritten = () -> {};
  private Runnable beforeCommit = () -> {};
  private final Map<Long, ByteBuffer> payloads = new HashMap<>();

  private NvHBaseBlockCache cacheHolding(long bytes) {
    Configuration site = new Configuration(configuration);
    site.setLong(NvCacheConfiguration.COMPACTION_HEAT_BYTES, bytes);
    site.setLong(NvCacheConfiguration.CAPACITY_BYTES, CAPACITY_BYTES);
    return new NvHBaseBlockCache(
        BlockCache.builder().nativeMemory(CAPACITY_BYTES).expectedBlockBytes(4096).build(),
        new FileIdRegistry(),
        new BlockPayload(ReadMode.ZERO_COPY),
        () -> {},
        DataTiering.ofThisHBase(),
        site,
        () -> now.getAndAdd(nanosBetweenLooks.get()));
  }

  @AfterEach
  void close() {
    CompactionScope.abandon();
    cache.shutdown();
  }

  /** Counts what is read at a place of a file, as HBase reads blocks. */
  private static final class CountingFileSystem extends FilterFileSystem {
    final AtomicInteger reads = new AtomicInteger();
    volatile Runnable whenRead = () -> {};

    CountingFileSystem(Configuration configuration) throws IOException {
      super(new RawLocalFileSystem());
      initialize(URI.create("file:///"), configuration);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      return new FSDataInputStream(super.open(path, bufferSize)) {
        @Override
        public int read(long position, byte[] buffer, int offset, int length) throws IOException {
          reads.incrementAndGet();
          whenRead.run();
          return super.read(position, buffer, offset, length);
        }
      };
    }
  }

  private long carried(String reason) {
    return cache.engine().control().ledger().entries().get("carried." + reason);
  }

  private HStoreFile open(CountingFileSystem fileSystem, Path path, boolean caching)
      throws IOException {
    HStoreFile file =
        StoreFiles.storeFile(
            fileSystem,
            path,
            configuration,
            caching ? new CacheConfig(configuration, cache) : CacheConfig.DISABLED);
    file.initReader();
    return file;
  }

  /** HBase packs blocks of the one as it writes them, and caches them unpacked. */
  private enum Packing {
    NONE(Compression.Algorithm.NONE),
    GZ(Compression.Algorithm.GZ);

    final Compression.Algorithm algorithm;

    Packing(Compression.Algorithm algorithm) {
      this.algorithm = algorithm;
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadEachBlockAtOnce(Packing packing) throws Exception {
    int blocks = carryAllBlocks(packing.algorithm);
    assertThat(readsToCarry).as("of the file system").isEqualTo(blocks);
  }

  /** So many other files are asked for while an output is written that names are dropped. */
  @Test
  void shouldCarryBlocksThatWereWrittenBeforeNamesAreDropped() throws Exception {
    whenHalfWritten =
        () -> {
          for (int file = 0; file < 2 * StoreFileNames.MIN_NAMES_BEFORE_PURGE; file++) {
            BlockCacheKey key = new BlockCacheKey("old" + file, 0);
            cache.getBlock(key, true, false, false);
          }
          cache.cacheBlock(new BlockCacheKey("new", 0), SampleHFile.block(BlockType.ROOT_INDEX));
        };
    carryAllBlocks(Compression.Algorithm.NONE);
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadNoBlockBackThatIsHeld(Packing packing) throws Exception {
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    carryAllBlocks(packing.algorithm);
    assertThat(readsToCarry).as("of the file system").isZero();
  }

  @Test
  void shouldCacheWhatIsHeldBeforeTheOutputsAreServed() throws Exception {
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    isServed.set(false);
    CountingFileSystem fileSystem = new CountingFileSystem(configuration);
    compact(fileSystem, Compression.Algorithm.NONE, () -> {});
    long inputs = dataBlocksOf("11");
    assertThat(inputs).isPositive();
    assertThat(dataBlocksOf("22")).isEqualTo(sample.countDataBlocks());
    assertThat(fileSystem.reads).hasValue(0);

    isServed.set(true);
    LocalCluster.await("room", () -> dataBlocksOf("11") == 0);
    assertThat(dataBlocksOf("22")).isEqualTo(sample.countDataBlocks());
  }

  @Test
  void shouldHoldUpNoCommitForLong() throws Exception {
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    isServed.set(false);
    beforeCommit = () -> nanosBetweenLooks.set(TimeUnit.MILLISECONDS.toNanos(30));
    CountingFileSystem fileSystem = new CountingFileSystem(configuration);
    compact(fileSystem, Compression.Algorithm.NONE, () -> {});
    assertThat(dataBlocksOf("22")).as("within 0.1 s, of 30 ms each").isEqualTo(3);

    isServed.set(true);
    int blocks = sample.countDataBlocks();
    LocalCluster.await("the rest", () -> dataBlocksOf("22") == blocks);
    assertThat(fileSystem.reads).hasValue(0);
  }

  @Test
  void shouldLeaveNothingOfACommitThatFails() throws Exception {
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    isServed.set(false);
    compact(new CountingFileSystem(configuration), Compression.Algorithm.NONE, () -> {});
    assertThat(dataBlocksOf("22")).isPositive();
    long inputs = dataBlocksOf("11");

    cache.compactions().awaitedCommits().close(); // As it ends after a minute.
    assertThat(dataBlocksOf("22")).isZero();
    assertThat(dataBlocksOf("11")).as("of the inputs, which are served on").isEqualTo(inputs);
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).isEqualTo(1);
  }

  @Test
  void shouldCacheNothingBeforeACommitOnceHeatIsOff() throws Exception {
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    beforeCommit = () -> cache.compactions().setOutputs(CompactionOutputs.LEAVE_OUT);
    compact(new CountingFileSystem(configuration), Compression.Algorithm.NONE, () -> {});
    assertThat(dataBlocksOf("22")).isZero();
    assertThat(cache.compactions().drops().of(HeatDrop.HEAT_TURNED_OFF)).isEqualTo(1);
  }

  /** The name means another file then, whose blocks are not those that are held. */
  @Test
  void shouldCacheNothingOfAnOutputThatWasEvicted() throws Exception {
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    isServed.set(false);
    beforeCommit = () -> cache.evictBlocksByHfileName("22");
    compact(new CountingFileSystem(configuration), Compression.Algorithm.NONE, () -> {});
    assertThat(carried("admitted")).isZero();
  }

  private long dataBlocksOf(String hfileName) {
    long blocks = 0;
    for (CachedBlock each : cache) {
      // HBase offers the root of an output's index when it opens the output, and it is important.
      blocks += each.getFilename().equals(hfileName) && isData(each) ? 1 : 0;
    }
    return blocks;
  }

  /** A block that goes while the cache is walked has no type any more. */
  private static boolean isData(CachedBlock block) {
    return block.getBlockType() != null && block.getBlockType().isData();
  }

  /**
   * Except for the last bytes: HBase does not know yet when it writes a block what kind comes
   * behind it, and 2.6.3 leaves it out of each block that it has read.
   */
  @ParameterizedTest
  @EnumSource
  void shouldHoldWhatWouldBeRead(Packing packing) throws Exception {
    int blocks = carryAllBlocks(packing.algorithm);
    Map<Long, ByteBuffer> read = Map.copyOf(payloads);
    cache.shutdown();
    cache = cacheHolding(CAPACITY_BYTES);
    carryAllBlocks(packing.algorithm);
    assertThat(read).hasSize(blocks).hasSameSizeAs(payloads);
    int same = 0;
    for (Map.Entry<Long, ByteBuffer> each : payloads.entrySet()) {
      ByteBuffer held = each.getValue();
      ByteBuffer ofFile = read.get(each.getKey());
      assertThat(ofFile).isNotNull();
      int behind = held.limit() - Integer.BYTES;
      boolean isLeftOut = ofFile.getInt(behind) == -1;
      same += isLeftOut || held.equals(ofFile) ? 1 : 0;
      assertThat(held.slice(0, behind).mismatch(ofFile.slice(0, behind)))
          .as("the first byte of %s that differs", behind)
          .isNegative();
      assertThat(isLeftOut || held.getInt(behind) == -1 || held.equals(ofFile)).isTrue();
    }
    assertThat(same).as("blocks with another data block behind").isGreaterThan(blocks * 9 / 10);
  }

  /** The first block that is read back turns heat off, as an operator might at that moment. */
  @ParameterizedTest
  @EnumSource
  void shouldReadNoBlockBackOnceHeatIsOff(Packing packing) throws Exception {
    compact(
        new CountingFileSystem(configuration),
        packing.algorithm,
        () -> cache.compactions().setOutputs(CompactionOutputs.LEAVE_OUT));
    cache.compactions().awaitCarried();
    assertThat(cache.compactions().drops().of(HeatDrop.HEAT_TURNED_OFF)).isEqualTo(1);
    assertThat(carried("admitted")).isLessThanOrEqualTo(1);
    assertThat(carried("unreadable")).as("what was asked for next").isEqualTo(1);
  }

  private static ByteBuffer serialized(Cacheable block) {
    ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, true);
    ((HFileBlock) block).release();
    // The kind of the checksums, what each covers, and where they begin: HBase itself leaves that
    // out of blocks which it caches as it writes them, for none keeps its checksums.
    for (int at = CHECKSUMS_BEGIN; at < CHECKSUMS_END; at++) {
      bytes.put(at, (byte) 0);
    }
    return bytes.rewind();
  }

  /** Returns how many blocks an output has, all of which are carried and served. */
  private int carryAllBlocks(Compression.Algorithm compression) throws Exception {
    CountingFileSystem fileSystem = new CountingFileSystem(configuration);
    compact(fileSystem, compression, () -> {});
    int blocks = sample.countDataBlocks();
    LocalCluster.await("hot blocks", () -> carried("admitted") == blocks);

    readsToCarry = fileSystem.reads.get();
    payloads.clear();
    for (CachedBlock each : cache) {
      if (isData(each)) {
        BlockCacheKey key = new BlockCacheKey(each.getFilename(), each.getOffset());
        payloads.put(each.getOffset(), serialized(cache.getBlock(key, true, false, false)));
      }
    }
    long lookups = cache.engine().stats().lookups();
    assertThat(sample.countEqualCells(output.getReader().getHFileReader()))
        .isEqualTo(SampleHFile.CELLS);
    assertThat(fileSystem.reads).as("after they were served").hasValue(readsToCarry);
    assertThat(cache.engine().stats().lookups()).isGreaterThanOrEqualTo(lookups + blocks);
    input.closeStoreFile(true);
    output.closeStoreFile(false);
    Map<String, Long> ledger = cache.engine().control().ledger().entries();
    assertThat(ledger).containsEntry("carried.unreadable", 0L);
    return blocks;
  }

  /**
   * Compacts a file whose rows are all hot.
   *
   * @param whenRead called whenever a block is read from then on
   */
  private void compact(
      CountingFileSystem fileSystem, Compression.Algorithm compression, Runnable whenRead)
      throws Exception {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    sample =
        SampleHFile.write(
            directory.resolve("11"), SEED, configuration, compression, DataBlockEncoding.NONE);
    input = open(fileSystem, new Path(directory.resolve("11").toUri()), true);
    for (int round = 0; round < READS_OF_A_ROW; round++) {
      sample.countEqualCells(input.getReader().getHFileReader());
    }
    Path path = new Path(directory.resolve("22").toUri());
    cache.compactions().begin();
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      copy(input, fileSystem, path, compression);
      output = open(fileSystem, path, true);
      fileSystem.reads.set(0);
      fileSystem.whenRead = whenRead;
      beforeCommit.run();
      cache.compactions().committed(List.of(input), output, swap -> isServed.get());
    }
  }

  private void copy(
      HStoreFile input, CountingFileSystem fileSystem, Path path, Compression.Algorithm compression)
      throws IOException {
    CacheConfig onWrite = new CacheConfig(configuration, cache);
    onWrite.enableCacheOnWrite();
    try (HFile.Writer writer =
            HFile.getWriterFactory(configuration, onWrite)
                .withPath(fileSystem, path)
                .withFileContext(
                    new HFileContextBuilder()
                        .withBlockSize(4096)
                        .withCompression(compression)
                        .build())
                .create();
        HFileScanner scanner =
            input.getReader().getHFileReader().getScanner(configuration, false, true, true)) {
      int cells = 0;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        if (++cells == SampleHFile.CELLS / 2) {
          whenHalfWritten.run();
        }
        byte[] row = CellUtil.cloneRow(scanner.getCell());
        for (int read = 0; read < READS_OF_A_ROW; read++) {
          cache.compactions().hotRows().read(STORE, row);
        }
        cache.compactions().hotRows().written(STORE, row, 0, row.length, 1);
        writer.append(scanner.getCell());
        writer.beforeShipped();
      }
    }
  }
}
