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
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CompactionScopeTest {
  private static final BlockCacheKey INPUT = new BlockCacheKey("11", 4096);

  @TempDir private Path directory;

  private final BlockCache engine =
      BlockCache.builder().nativeMemory(4 << 20).expectedBlockBytes(1024).build();
  private final NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());

  @AfterEach
  void close() {
    cache.shutdown();
    CompactionScope.abandon();
  }

  private static void write(NvHBaseBlockCache cache, String file) {
    cache.cacheBlock(new BlockCacheKey(file, 0), SampleHFile.block(BlockType.DATA));
  }

  private HStoreFile storeFile(String name) throws IOException {
    Configuration configuration = new Configuration();
    Path file = Files.write(directory.resolve(name), new byte[1]);
    return StoreFiles.storeFile(
        FileSystem.getLocal(configuration),
        new org.apache.hadoop.fs.Path(file.toUri()),
        configuration,
        CacheConfig.DISABLED);
  }

  @Test
  void shouldCountNoLookupOfACompaction() {
    for (int i = 0; i < 3; i++) {
      cache.getBlock(INPUT, true, false, true);
      cache.cacheBlock(INPUT, SampleHFile.block(BlockType.DATA));
    }
    long lookups = engine.stats().lookups();
    cache.compactions().begin();
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      assertThat(cache.getBlock(INPUT, false, false, true)).isNotNull();
      assertThat(cache.getBlock(new BlockCacheKey("11", 8192), false, false, true)).isNull();
    }
    assertThat(engine.stats().lookups()).isEqualTo(lookups);
    Map<String, Long> ledger = engine.control().ledger().entries();
    assertThat(ledger).containsEntry("rewrite.hit", 1L).containsEntry("rewrite.miss", 1L);
  }

  /** Such as of a family that is not to be cached: its outputs will find no room. */
  @Test
  void shouldHoldNoOutputBeforeAnInputIsFoundCached() {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.cacheBlock(INPUT, SampleHFile.block(BlockType.DATA));
    cache.compactions().begin();
    CompactionScope scope = CompactionScope.current(engine);
    CarriedBlocks outputs = scope.outputs();
    long fileId = outputs.idOf("22");
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      assertThat(cache.getBlock(new BlockCacheKey("11", 0), false, false, true)).isNull();
      scope.writes(1, 10, 2);
      assertThat(scope.wrote("22", fileId, 0, 100, 133)).isZero();

      assertThat(cache.getBlock(INPUT, false, false, true)).isNotNull();
      scope.writes(2, 10, 2);
      assertThat(scope.wrote("22", fileId, 133, 100, 133)).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void shouldEndWithTheLastOutput() throws IOException {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.cacheBlock(INPUT, SampleHFile.block(BlockType.DATA));
    cache.compactions().begin();
    HStoreFile input = storeFile("11");
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
      write(cache, "33");
      cache.compactions().committed(List.of(input), storeFile("22"));
      assertThat(CompactionScope.current(engine)).isNotNull();
      assertThat(engine.stats().blocks()).as("the inputs are still read").isEqualTo(1);
      cache.compactions().committed(List.of(input), storeFile("33"));
    }
    assertThat(CompactionScope.current(engine)).isNull();
    assertThat(engine.stats().blocks()).isZero();
  }

  /** HBase moves a MOB file to its place itself, and does not report it. */
  @Test
  void shouldEndWithTheStoreFileThoughAMobFileIsWritten() throws IOException {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.compactions().begin();
    String md5AndDay = "d41d8cd98f00b204e9800998ecf8427e20261128";
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
      write(cache, md5AndDay + "77d1f923cc6f461e80ca77e81aa99fcb_9a92ffd7edd83318ed98fad8ca0e49ff");
      cache.compactions().committed(List.of(storeFile("11")), storeFile("22"));
    }
    assertThat(CompactionScope.current(engine)).isNull();
    CompactionScope.abandon();
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).isZero();
  }

  /** The daughters of a split refer to their parent's file by one name. */
  @Test
  void shouldKeepTheBlocksOfAnInputThatAnotherRegionServes() throws IOException {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.cacheBlock(INPUT, SampleHFile.block(BlockType.DATA));
    cache.registerFile("11", 1);
    cache.compactions().begin();
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
      cache.compactions().committed(List.of(storeFile("11")), storeFile("22"));
    }
    assertThat(CompactionScope.current(engine)).isNull();
    assertThat(engine.stats().blocks()).isEqualTo(1);
  }

  @Test
  void shouldKeepTheInputsUntilTheOutputsAreServed() throws Exception {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.cacheBlock(INPUT, SampleHFile.block(BlockType.DATA));
    HStoreFile input = storeFile("11");
    HStoreFile output = storeFile("22");
    AtomicReference<List<HStoreFile>> served = new AtomicReference<>(List.of(input));
    CountDownLatch looks = new CountDownLatch(3);
    cache.compactions().begin();
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
      cache
          .compactions()
          .committed(
              List.of(input),
              output,
              swap -> {
                looks.countDown();
                return swap.isIn(served.get());
              });
    }
    assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(engine.stats().blocks()).as("as long as the input is served").isEqualTo(1);
    served.set(List.of(output));
    LocalCluster.await("room", () -> engine.stats().blocks() == 0);
  }

  @Test
  void shouldEndWithoutAnyOutput() {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.compactions().begin();
    cache.compactions().committed(List.of(), null);
    assertThat(CompactionScope.current(engine)).isNull();
  }

  @Test
  void shouldCacheNothingOfACompactionThatFails() {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.compactions().begin();
    CompactionScope failed = CompactionScope.current(engine);
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
    }
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).isZero();
    cache.compactions().begin();
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).isEqualTo(1);

    assertThat(CompactionScope.current(engine)).isNotNull().isNotSameAs(failed);
    assertThat(engine.stats().blocks()).isZero();
    assertThat(engine.stats().offers(Source.COMPACTION)).isZero();
  }

  /** As of one whose file can't be renamed: its scanner was closed before, its thread is idle. */
  @Test
  void shouldNoticeAFailureWithoutAnotherCompaction() {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    beginAndFail();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    do {
      System.gc();
      cache.compactions().running().endTheLost();
    } while (cache.compactions().running().size() > 0 && System.nanoTime() < deadline);
    assertThat(cache.compactions().running().size()).isZero();
    assertThat(CompactionScope.current(engine)).isNull();
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).isEqualTo(1);
    cache.compactions().begin();
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).as("once").isEqualTo(1);
  }

  private void beginAndFail() {
    cache.compactions().begin(new Object());
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
    }
  }

  @Test
  void shouldKeepACompactionWhoseRequestLives() {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    Object request = new Object();
    cache.compactions().begin(request);
    System.gc();
    cache.compactions().running().endTheLost();
    assertThat(CompactionScope.current(engine)).isNotNull();
    Reference.reachabilityFence(request);
    cache.compactions().committed(List.of(), null);
    assertThat(cache.compactions().running().size()).isZero();
  }

  @Test
  void shouldCountNoFailureOfACompactionThatWroteNothing() {
    cache.compactions().setOutputs(CompactionOutputs.CARRY);
    cache.compactions().begin();
    cache.compactions().begin();
    assertThat(cache.compactions().drops().of(HeatDrop.COMPACTION_FAILED)).isZero();
  }

  @Test
  void shouldBelongToOneCacheAndOneThread() throws Exception {
    cache.compactions().begin();
    try (BlockCache other = BlockCache.builder().nativeMemory(4 << 20).build()) {
      assertThat(CompactionScope.current(other)).isNull();
    }
    FutureTask<CompactionScope> elsewhere = new FutureTask<>(() -> CompactionScope.current(engine));
    new Thread(elsewhere, "elsewhere").start();
    assertThat(elsewhere.get()).isNull();
  }

  private static CompactionOutputs outputs(String heat, String onWrite) {
    Configuration configuration = new Configuration(false);
    if (!heat.isEmpty()) {
      configuration.set(NvCacheConfiguration.COMPACTION_HEAT, heat);
    }
    if (!onWrite.isEmpty()) {
      configuration.set(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, onWrite);
    }
    CompactionOutputs.prepare(configuration);
    return CompactionOutputs.of(configuration, configuration);
  }

  @Test
  void shouldLeaveTheOperatorsWord() {
    assertThat(outputs("", "")).isEqualTo(CompactionOutputs.CARRY);
    assertThat(outputs("true", "")).isEqualTo(CompactionOutputs.CARRY);
    assertThat(outputs("true", "true")).isEqualTo(CompactionOutputs.OFFER);
    assertThat(outputs("true", "false")).isEqualTo(CompactionOutputs.OFFER);
    assertThat(outputs("standby", "")).isEqualTo(CompactionOutputs.LEAVE_OUT);
    assertThat(outputs("false", "")).isEqualTo(CompactionOutputs.OFFER);
  }

  @Test
  void shouldTurnOffWhileTheServerRuns() {
    Configuration started = new Configuration(false);
    started.set(NvCacheConfiguration.COMPACTION_HEAT, "true");
    CompactionOutputs.prepare(started);
    Configuration changed = new Configuration(started);
    changed.set(NvCacheConfiguration.COMPACTION_HEAT, "false");
    assertThat(CompactionOutputs.of(changed, started)).isEqualTo(CompactionOutputs.LEAVE_OUT);
    assertThat(CompactionOutputs.of(started, started)).isEqualTo(CompactionOutputs.CARRY);

    cache.compactions().setOutputs(CompactionOutputs.LEAVE_OUT);
    cache.compactions().begin();
    try (ThreadSource compaction = ThreadSource.enter(Source.COMPACTION)) {
      write(cache, "22");
    }
    assertThat(engine.stats().offers(Source.COMPACTION)).isZero();
  }
}
