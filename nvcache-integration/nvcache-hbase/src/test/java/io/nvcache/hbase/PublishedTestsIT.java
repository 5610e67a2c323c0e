// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheOnWriteRun;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's own tests, from its published tests jar, with NVCache as the block cache of every
 * configuration they make: {@code hbase-site.xml} stands first on their class path.
 *
 * <p>Not run, because they can't be:
 *
 * <ul>
 *   <li>{@code TestPrefetch.testPrefetch} asks for a class that the published jars lack.
 *   <li>{@code TestBlockEvictionOnRegionMovement.testBlockEvictionOnGracefulStop} counts the blocks
 *       of a cache after it was shut down, when BucketCache still has them.
 *   <li>{@code TestPrefetchRSClose}, {@code TestPrefetchWithBucketCache} and {@code
 *       TestPrefetchPersistence} look for the file in which BucketCache keeps its index.
 *   <li>{@code TestDataTieringManager} came after the release that the tests run on.
 *   <li>{@code TestHFileBlock} and the tests of the index and of checksums take no cache.
 *   <li>{@code TestBucketCache*}, {@code TestLru*}, {@code TestTinyLfu*} test a class of that name;
 *       {@code TestHFileScannerImplReferenceCount}, {@code TestBlockEvictionFromClient}, {@code
 *       TestScannerSelectionUsingTTL}, {@code TestCombinedBlockCache}, {@code TestCacheConfig},
 *       {@code TestForceCacheImportantBlocks} and {@code TestScannerFromBucketCache} cast the cache
 *       to one or count inside it. What they ask about reference counts is asked again in {@link
 *       ReferenceCountTest}; the parts that take any cache are run by {@code PublishedChecksIT}.
 *   <li>{@code CacheTestUtils.testCacheSimple} fails any cache that is no BucketCache if caching a
 *       block twice is fine; {@code hammerEviction} is gone from 2.6.
 * </ul>
 */
class PublishedTestsIT {
  private static final long MAX_MINUTES = 14;

  /** HBase's tests read blocks there and release none. */
  private static final Pattern UNRELEASED =
      Pattern.compile(
          "TestPrefetch\\.(readStoreFileLikeScanner|testPrefetchWhenRefs|testPrefetchWhenHFileLink)");

  private static final Pattern RESULT = Pattern.compile("RESULT \\S+ (\\d+) (\\d+) (\\d+)");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "gets:org.apache.hadoop.hbase.io.hfile.TestHFile, 20",
    "org.apache.hadoop.hbase.io.hfile.TestHFileEncryption, 3",
    "org.apache.hadoop.hbase.io.hfile.TestHFileReaderImpl, 2",
    "org.apache.hadoop.hbase.io.hfile.TestHFileBlockUnpack, 2",
    "'org.apache.hadoop.hbase.io.hfile.TestPrefetch,testPrefetch', 9",
    "org.apache.hadoop.hbase.regionserver.TestHStore, 47",
    "org.apache.hadoop.hbase.regionserver.TestCompaction, 10",
    "org.apache.hadoop.hbase.regionserver.TestBlocksRead, 4",
    "gets:org.apache.hadoop.hbase.regionserver.TestBlocksRead, 4",
    "org.apache.hadoop.hbase.regionserver.TestCacheOnWriteInSchema, 3",
    "org.apache.hadoop.hbase.regionserver.TestClearRegionBlockCache, 6",
    "org.apache.hadoop.hbase.master.balancer.TestCacheAwareLoadBalancer, 5",
    "org.apache.hadoop.hbase.master.balancer.TestCacheAwareLoadBalancerCostFunctions, 6",
    "'org.apache.hadoop.hbase.io.hfile.TestBlockEvictionOnRegionMovement,testBlockEvictionOnGracefulStop', 1"
  })
  void shouldPass(String tests, int count) throws Exception {
    assertPasses(PublishedTests.class.getName(), tests, count, NvHBaseBlockCache.class);
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.hadoop.hbase.regionserver.TestHStore, 47",
    "org.apache.hadoop.hbase.regionserver.TestCompaction, 10"
  })
  void shouldPassWhileCompactionsCarryHeat(String tests, int count) throws Exception {
    assertPasses(PublishedTests.class.getName(), tests, count, CarryingCache.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"alone", "combined", "tiered", "external", "carrying"})
  void shouldPassTheTestsOfCachingOnWrite(String topology) throws Exception {
    assertPasses(CacheOnWriteRun.class.getName(), topology, 36, NvHBaseBlockCache.class);
  }

  private void assertPasses(
      String program, String argument, int count, Class<? extends BlockCache> cache)
      throws Exception {
    ForkedJvm.writeSite(
        directory,
        Map.of(
            "hbase.blockcache.use.external", "true",
            "hbase.blockcache.external.class", cache.getName(),
            "hbase.nvcache.policies", "admit-all",
            "hbase.nvcache.smallbypass.dram.bytes", "0",
            "hbase.nvcache.capacity.bytes", "268435456",
            "hbase.nvcache.block.max.bytes", "131072", // Extents enough for all sizes of blocks.
            "hbase.nvcache.block.expected.bytes", "2048", // And slots enough in the index.
            "dfs.namenode.metrics.logger.period.seconds", "0",
            "dfs.datanode.metrics.logger.period.seconds", "0"));
    String output = ForkedJvm.run(directory, program, List.of(argument), MAX_MINUTES);
    Matcher result = RESULT.matcher(output);
    assertThat(result.find()).as(output).isTrue();
    assertThat(result.group(2)).as("failed\n%s", output).isEqualTo("0");
    System.out.printf("%s %s: %s run%n", program, argument, result.group(1));
    assertThat(result.group(1)).as("run").isEqualTo(Integer.toString(count));
    assertThat(output).doesNotContain("NVCache can't be used");
    String[] parts = output.split("LEAK: RefCnt", -1);
    assertThat(List.of(parts).subList(1, parts.length))
        .filteredOn(leak -> leak.contains("io.nvcache")) // HBase leaks memstores of its own, too.
        .allSatisfy(leak -> assertThat(leak).containsPattern(UNRELEASED));
  }
}
