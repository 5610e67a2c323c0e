// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.FileIdRegistry;
import io.nvcache.OfferResult;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.prefetch.Prefetches;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HBase's own prefetching of real files, and what the cache answers to it. */
@Timeout(60)
final class PrefetchTest {
  private static final long SEED = 7;

  /** A prefetch that begins before its reader has read the file's index fails. */
  static final int DELAY_MILLIS = 2000;

  @TempDir private Path directory;

  private final Configuration configuration = new Configuration();
  private NvHBaseBlockCache cache = over(AdmissionPresets.admitAll());

  private static NvHBaseBlockCache over(io.nvcache.admission.AdmissionFactory admission) {
    BlockCacheBuilder builder = BlockCache.builder().nativeMemory(64 << 20).admission(admission);
    return new NvHBaseBlockCache(builder.build(), new FileIdRegistry());
  }

  @AfterEach
  void close() {
    cache.shutdown();
  }

  private SampleHFile write(String region, String name, Compression.Algorithm compression)
      throws Exception {
    configuration.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    configuration.setInt(PrefetchExecutor.PREFETCH_DELAY, DELAY_MILLIS);
    PrefetchExecutor.loadConfiguration(configuration);
    Path family = Files.createDirectories(directory.resolve(region).resolve("f"));
    return SampleHFile.write(
        family.resolve(name), SEED, configuration, compression, DataBlockEncoding.NONE);
  }

  private static void open(SampleHFile file, org.apache.hadoop.hbase.io.hfile.BlockCache blockCache)
      throws Exception {
    try (HFile.Reader reader = file.open(blockCache)) {
      while (!PrefetchExecutor.isCompleted(reader.getPath())) {
        Thread.sleep(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.Algorithm.class,
      names = {"NONE", "GZ"})
  void shouldNotPrefetchAFileThatIsCachedWhole(Compression.Algorithm compression) throws Exception {
    SampleHFile file = write("region", "hfile", compression);
    int blocks = file.countDataBlocks();

    open(file, cache);

    assertThat(cache.getBlockCount()).isGreaterThanOrEqualTo(blocks);
    assertThat(cache.shouldCacheFile("hfile")).contains(false);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).containsOnlyKeys("hfile");
    assertThat(cache.getFullyCachedFiles().orElseThrow().get("hfile").getFirst())
        .isEqualTo("region");

    long lookups = cache.engine().stats().lookups();
    open(file, cache);
    assertThat(cache.engine().stats().lookups()).isEqualTo(lookups);

    try (HFile.Reader reader = file.open(cache)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      BlockCacheKey one =
          new BlockCacheKey(
              reader.getPath(), reader.getTrailer().getFirstDataBlockOffset(), true, null);
      assertThat(cache.evictBlock(one)).isTrue();
    }
    assertThat(cache.shouldCacheFile("hfile")).contains(true);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    open(file, cache);
    assertThat(cache.shouldCacheFile("hfile")).as("it was fetched again").contains(false);

    cache.evictBlocksByHfileName("hfile");
    assertThat(cache.shouldCacheFile("hfile")).contains(true);
  }

  /** No lookup came, and nothing has to give way. */
  @Test
  void shouldFillAnEmptyCacheAndCountNoLookup() throws Exception {
    cache.shutdown();
    cache = over(AdmissionPresets.standard());
    SampleHFile file = write("region", "hfile", Compression.Algorithm.NONE);

    open(file, cache);

    assertThat(cache.getFullyCachedFiles().orElseThrow()).containsOnlyKeys("hfile");
    assertThat(cache.getBlockCount()).isGreaterThanOrEqualTo(file.countDataBlocks());
    assertThat(cache.engine().stats().lookups()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.Algorithm.class,
      names = {"NONE", "GZ"})
  void shouldBringWhatIsMissingOfAFileThatIsCachedInPart(Compression.Algorithm compression)
      throws Exception {
    SampleHFile file = write("region", "hfile", compression);
    open(file, cache);
    Random random = new Random(SEED);
    int evicted = 0;
    for (CachedBlock block : cache) {
      BlockCacheKey key = new BlockCacheKey("hfile", block.getOffset());
      if (block.getOffset() > 20_000 && random.nextInt(3) == 0 && cache.evictBlock(key)) {
        evicted++;
      }
    }
    assertThat(evicted).as("seed %d", SEED).isPositive();
    long admitted = cache.engine().stats().offers(OfferResult.ADMITTED);

    open(file, cache);

    assertThat(cache.engine().stats().offers(OfferResult.ADMITTED) - admitted).isEqualTo(evicted);
    if (Prefetches.KEEPS_ITS_PLACE) {
      assertThat(cache.engine().stats().offers(OfferResult.ALREADY_CACHED)).isZero();
    }
    assertThat(cache.engine().stats().lookups()).isZero();
    assertThat(cache.getFullyCachedFiles().orElseThrow()).containsOnlyKeys("hfile");
    try (HFile.Reader reader = file.open(cache)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
  }

  /** As HBase asks before it reads a block ahead. */
  @ParameterizedTest
  @EnumSource(
      value = Compression.Algorithm.class,
      names = {"NONE", "GZ"})
  void shouldTellTheBytesThatACachedBlockTakesInItsFile(Compression.Algorithm compression)
      throws Exception {
    SampleHFile file = write("region", "hfile", compression);
    open(file, cache);
    try (HFile.Reader reader = file.open(cache)) {
      long end = reader.getTrailer().getLastDataBlockOffset();
      long offset = 0;
      while (offset <= end) {
        BlockCacheKey key = new BlockCacheKey("hfile", offset);
        assertThat(cache.isAlreadyCached(key)).contains(true);
        offset += cache.getBlockSize(key).orElseThrow();
      }
      assertThat(offset).isGreaterThan(end).isLessThanOrEqualTo(Files.size(path("region")));
      BlockCacheKey none = new BlockCacheKey("hfile", 1);
      assertThat(cache.isAlreadyCached(none)).contains(false);
      assertThat(cache.getBlockSize(none)).isEmpty();
      assertThat(cache.isAlreadyCached(new BlockCacheKey("another", 0))).contains(false);
    }
  }

  private Path path(String region) {
    return directory.resolve(region).resolve("f").resolve("hfile");
  }

  @Test
  void shouldKnowWholeFilesBelowADramTier() throws Exception {
    SampleHFile file = write("region", "hfile", Compression.Algorithm.NONE);
    CombinedBlockCache combined = cache.below(new LruBlockCache(16 << 20, 4096));

    open(file, combined);

    assertThat(cache.shouldCacheFile("hfile")).contains(false);
    assertThat(combined.getFullyCachedFiles().orElseThrow()).containsKey("hfile");
    assertThat(combined.getRegionCachedInfo().orElseThrow()).containsOnlyKeys("region");
  }

  @Test
  void shouldEndAPrefetchOfWhichTheCacheTakesNothing() throws Exception {
    cache.shutdown();
    AdmissionPolicy none = candidate -> AdmissionDecision.NOT_WORTH_IT;
    cache = over(context -> none);
    SampleHFile file = write("region", "hfile", Compression.Algorithm.NONE);
    assertThat(file.countDataBlocks()).isGreaterThan(20);

    open(file, cache);

    long offers = offers();
    assertThat(offers).isBetween(1L, 10L);
    assertThat(cache.shouldCacheFile("another")).contains(false);
    open(file, cache);
    // Releases from 2.6.2 on do not ask whether to begin: such a prefetch ends with its first
    // block.
    assertThat(offers()).isBetween(offers, offers + 1);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    assertThat(cache.getRegionCachedInfo().orElseThrow()).isEmpty();
  }

  /** HBase cancels it as it closes the file, and takes it for completed. */
  @Test
  void shouldNotTakeACancelledPrefetchForAWholeFile() throws Exception {
    cache.shutdown();
    SampleHFile file = write("region", "hfile", Compression.Algorithm.NONE);
    org.apache.hadoop.fs.Path opened = new org.apache.hadoop.fs.Path(path("region").toUri());
    AtomicInteger asked = new AtomicInteger();
    AdmissionPolicy admitAll =
        candidate -> {
          if (asked.incrementAndGet() == 5) {
            PrefetchExecutor.cancel(opened);
          }
          return AdmissionDecision.ADMIT;
        };
    cache = over(context -> admitAll);
    CountDownLatch completed = new CountDownLatch(1);

    try (HFile.Reader reader = file.open(noting(completed))) {
      assertThat(reader.getPath()).isEqualTo(opened);
      completed.await();
    }

    assertThat(cache.getBlockCount()).isBetween(1L, file.countDataBlocks() - 1L);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    assertThat(cache.shouldCacheFile("hfile")).contains(true);
  }

  /**
   * HBase restarts the prefetches under way when the delay changes (HBASE-28292), and takes those
   * for completed that it interrupts.
   */
  @Test
  void shouldNotTakeAPrefetchThatANewDelayRestartsForAWholeFile() throws Exception {
    cache.shutdown();
    SampleHFile file = write("region", "hfile", Compression.Algorithm.NONE);
    Configuration later = new Configuration(configuration);
    later.setInt(PrefetchExecutor.PREFETCH_DELAY, 60 * 60 * 1000);
    AtomicInteger asked = new AtomicInteger();
    AdmissionPolicy admitAll =
        candidate -> {
          if (asked.incrementAndGet() == 5) {
            PrefetchExecutor.loadConfiguration(later);
          }
          return AdmissionDecision.ADMIT;
        };
    cache = over(context -> admitAll);
    CountDownLatch completed = new CountDownLatch(1);

    try (HFile.Reader reader = file.open(noting(completed))) {
      assertThat(reader.getPath().getName()).isEqualTo("hfile");
      completed.await();
      assertThat(cache.getBlockCount()).isBetween(1L, file.countDataBlocks() - 1L);
      assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
      assertThat(cache.shouldCacheFile("hfile")).contains(true);
    }

    PrefetchExecutor.loadConfiguration(configuration);
    open(file, cache);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).containsOnlyKeys("hfile");
  }

  /** A prefetch that waits begins by the new delay once HBase has asked for it again. */
  @Test
  void shouldPrefetchByTheDelayThatIsNew() throws Exception {
    SampleHFile file = write("region", "hfile", Compression.Algorithm.NONE);
    Configuration later = new Configuration(configuration);
    later.setInt(PrefetchExecutor.PREFETCH_DELAY, 60 * 60 * 1000);
    PrefetchExecutor.loadConfiguration(later);
    try (HFile.Reader reader = file.open(cache)) {
      assertThat(reader.getPath().getName()).isEqualTo("hfile");
      assertThat(cache.getBlockCount()).isZero();
    }
    PrefetchExecutor.loadConfiguration(configuration);
    open(file, cache);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).containsOnlyKeys("hfile");
    assertThat(cache.engine().stats().lookups()).isZero();
  }

  /** Returns the cache, which notes that HBase has called a prefetch completed. */
  private org.apache.hadoop.hbase.io.hfile.BlockCache noting(CountDownLatch completed) {
    Class<?> type = org.apache.hadoop.hbase.io.hfile.BlockCache.class;
    return (org.apache.hadoop.hbase.io.hfile.BlockCache)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object result = method.invoke(cache, arguments);
              if (method.getName().equals("notifyFileCachingCompleted")) {
                completed.countDown();
              }
              return result;
            });
  }

  private long offers() {
    return cache.engine().stats().offers().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void shouldReportTheShareOfEachRegionAsAWalkFindsIt() throws Exception {
    Random random = new Random(SEED);
    for (String region : new String[] {"a", "b", "c"}) {
      for (int i = 0; i < 2; i++) {
        open(write(region, region + i, Compression.Algorithm.NONE), cache);
      }
    }
    for (CachedBlock block : cache) {
      if (random.nextInt(3) == 0 || block.getFilename().startsWith("c")) {
        cache.evictBlock(new BlockCacheKey(block.getFilename(), block.getOffset()));
      }
    }
    Map<String, Long> walked = new HashMap<>();
    for (CachedBlock block : cache) {
      walked.merge(block.getFilename().substring(0, 1), block.getSize(), Long::sum);
    }

    Map<String, Long> reported = cache.getRegionCachedInfo().orElseThrow();

    assertThat(reported).containsOnlyKeys("a", "b").hasSameSizeAs(walked);
    for (String region : new String[] {"a", "b"}) {
      long files =
          Files.size(directory.resolve(region + "/f/" + region + "0"))
              + Files.size(directory.resolve(region + "/f/" + region + "1"));
      assertThat((double) reported.get(region) / files)
          .isCloseTo((double) walked.get(region) / files, within(0.02));
    }
  }
}
