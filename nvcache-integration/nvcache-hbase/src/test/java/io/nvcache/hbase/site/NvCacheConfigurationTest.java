// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.control.LiveSetting;
import io.nvcache.hbase.FromSite;
import io.nvcache.hbase.NvCacheRegionServer;
import io.nvcache.hbase.NvHBaseBlockCache;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NvCacheConfigurationTest {
  private static Configuration valid() {
    Configuration configuration = new Configuration(false);
    configuration.set(NvCacheConfiguration.CAPACITY_BYTES, "67108864");
    return configuration;
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.nvcache.capacity.bytes, 0, a whole number from 1048576 to",
    "hbase.nvcache.capacity.bytes, 64, a whole number from 1048576 to",
    "hbase.nvcache.capacity.bytes, 64g, a whole number from 1048576 to",
    "hbase.nvcache.medium, nvme, 'one of native, mapped, flash, llpl'",
    "hbase.nvcache.policies, none, 'one of default, paper, paper-20, paper-4, decaying, admit-all'",
    "hbase.nvcache.read.mode, direct, 'one of zero-copy, copy'",
    "hbase.nvcache.checksum, md5, 'one of none, crc32c'",
    "hbase.nvcache.topology, external, 'one of combined, tiered'",
    "hbase.nvcache.pinned.max.bytes, -1, a whole number from 0 to",
    "hbase.nvcache.compaction.heat, TRUE, 'one of true, false, standby'",
    "hbase.nvcache.compaction.heat.bytes, -1, a whole number from 0 to",
    "hbase.nvcache.eviction.window.seconds, 0, a whole number from 1 to 31536000",
    "hbase.nvcache.full.target, 0, a number from 0.01 to 1",
    "hbase.nvcache.overhead.target, 10.5, a number from 0 to 10",
    "hbase.nvcache.overhead.target, NaN, a number from 0 to 10",
    "hbase.nvcache.smallbypass.dram.bytes, -1, a whole number from 0 to",
    "hbase.nvcache.smallbypass.fraction, 0, 'a number above 0, up to 1'",
    "hbase.nvcache.smallbypass.fraction, half, 'a number above 0, up to 1'",
    "hbase.nvcache.block.expected.bytes, 63, a whole number from 64 to 524288",
    "hbase.nvcache.block.expected.bytes, 524289, a whole number from 64 to 524288",
    "hbase.nvcache.write.limit.second.bytes, -1, a whole number from 0 to",
    "hbase.nvcache.write.limit.day.bytes, 1e9, a whole number from 0 to",
    "hbase.nvcache.drive.writes.per.day, 1001, a number from 0 to 1000",
    "hbase.nvcache.summary.seconds, 86401, a whole number from 0 to 86400",
    "hbase.nvcache.block.max.bytes, 16777217, a whole number from 4096 to 16777216",
  })
  void shouldNameKeyValueRangeAndRemedyOfABadValue(String key, String value, String range) {
    Configuration configuration = valid();
    configuration.set(key, value);
    assertThatThrownBy(() -> new NvHBaseBlockCache(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key + " is '" + value + "'; it must be " + range)
        .hasMessageEndingWith("change or remove it in hbase-site.xml");
    assertThat(FromSite.lastFailure()).startsWith(key + " is '" + value + "'");
  }

  /** What the server's class reads before there is a cache is refused in the same line. */
  @ParameterizedTest
  @CsvSource({
    "hbase.nvcache.topology, external",
    "hbase.nvcache.compaction.heat, TRUE",
    "hbase.blockcache.use.external, true",
    "hbase.bucketcache.ioengine, offheap",
  })
  void shouldTellWhyAServerDoesNotStart(String key, String value) {
    Configuration configuration = valid();
    configuration.set(key, value);
    assertThatThrownBy(() -> new NvCacheRegionServer(configuration))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(FromSite.lastFailure()).startsWith(key + " is '" + value + "'");
  }

  @Test
  void shouldRefuseAWrongValueBeforeAHeapIsMade(@TempDir Path folder) {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, "llpl");
    configuration.set(NvCacheConfiguration.PATH, folder.resolve("heap").toString());
    configuration.set(NvCacheConfiguration.OVERHEAD_TARGET, "11");
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .hasMessageStartingWith("hbase.nvcache.overhead.target is '11'");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.nvcache.smallbypass.dram.byte, hbase.nvcache.smallbypass.dram.bytes",
    "hbase.nvcache.overheadtarget, hbase.nvcache.overhead.target",
  })
  void shouldRefuseAKeyThatIsNoneAndNameTheNearest(String key, String nearest) {
    Configuration configuration = valid();
    configuration.set(key, "0");
    assertThatThrownBy(() -> new NvHBaseBlockCache(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "unknown setting " + key + "; the nearest is " + nearest + "; there are hbase.")
        .hasMessageContaining(", hbase.nvcache.topology")
        .hasMessageNotContaining("\n");
    assertThat(FromSite.lastFailure()).startsWith("unknown setting " + key);
  }

  @Test
  void shouldTakeEachKeyThatThereIs() throws Exception {
    Configuration configuration = new Configuration(false);
    for (Field field : NvCacheConfiguration.class.getFields()) {
      configuration.set((String) field.get(null), ""); // As if it were not set.
    }
    configuration.set(NvCacheConfiguration.CAPACITY_BYTES, "67108864");
    configuration.set("hbase.regionserver.handler.count", "30");
    assertThatCode(() -> NvCacheConfiguration.build(configuration).close())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.nvcache.topology, combined, true",
    "hbase.nvcache.topology, tiered, false",
    "hfile.block.cache.policy, indexonlylru, true",
    "hfile.block.cache.policy, LRU, false",
    "hbase.blockcache.use.external, true, true",
  })
  void shouldNotLeaveDataBlocksWithoutACache(String key, String value, boolean refused) {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.TOPOLOGY, "tiered");
    configuration.set(key, value);
    NvCacheConfiguration.build(configuration).close();
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "0");
    NvCacheConfiguration.build(configuration).close();
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "8589934592");
    if (refused) {
      assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "hbase.nvcache.smallbypass.dram.bytes is '8589934592'; it must be 0 where data blocks"
                  + " are in no other cache, since a bypass would leave them in none; remove it, or"
                  + " have DRAM hold data blocks as well: hbase.nvcache.topology = tiered, without"
                  + " IndexOnlyLRU");
    } else {
      NvCacheConfiguration.build(configuration).close();
    }
  }

  @Test
  void shouldNameTheSettingToLowerWhenTheSystemRefusesTheMemory() {
    Configuration configuration = valid();
    configuration.setLong(NvCacheConfiguration.CAPACITY_BYTES, 200L << 40);
    configuration.setLong(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 16 << 20);
    configuration.setLong(NvCacheConfiguration.MAX_BLOCK_BYTES, 16 << 20);
    assertThatThrownBy(() -> new NvHBaseBlockCache(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes of native memory were asked for")
        .hasMessageEndingWith("in all; ask for less: lower hbase.nvcache.capacity.bytes");
  }

  @ParameterizedTest
  @CsvSource({"4194304, 131072", "16777216, 262144", "67108864, 524288"})
  void shouldTakeBlocksUpToA64thOfTheCapacityAndHBasesUsualOnes(long capacity, int longest) {
    Configuration configuration = valid();
    configuration.setLong(NvCacheConfiguration.CAPACITY_BYTES, capacity);
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      cache.offer(1, 0, ByteBuffer.allocate(longest), Source.READ);
      assertThat(cache.stats().offers(OfferResult.TOO_LARGE)).isZero();
      assertThat(cache.offer(1, 1 << 20, ByteBuffer.allocate(longest + 1), Source.READ))
          .isEqualTo(OfferResult.TOO_LARGE);
    }
  }

  @Test
  void shouldDescribeWhatItBuilt() {
    Configuration configuration = valid();
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(NvCacheConfiguration.describe(configuration, cache))
          .isEqualTo(
              "64 MiB of HBase's blocks: medium native, policies default, overhead target 10.00 %,"
                  + " topology combined, small bypass off, read mode zero-copy");
    }
    configuration.set(NvCacheConfiguration.TOPOLOGY, "tiered");
    configuration.set(NvCacheConfiguration.POLICIES, "paper");
    configuration.set(NvCacheConfiguration.READ_MODE, "copy");
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "8589934592");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(NvCacheConfiguration.describe(configuration, cache))
          .endsWith(
              "policies paper, overhead target 10.00 %, topology tiered, small bypass below 8 GiB"
                  + " of DRAM, read mode copy");
    }
  }

  @Test
  void shouldAskForTheCapacity() {
    assertThatThrownBy(() -> NvCacheConfiguration.build(new Configuration(false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbase.nvcache.capacity.bytes is not set");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapped", "flash", "llpl"})
  void shouldAskForTheMediumsFile(String medium) {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, medium);
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbase.nvcache.path is not set");
  }

  @Test
  void shouldRefuseAFileForMemory() {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.PATH, "/mnt/pmem0/nvcache.data");
    String problem =
        "hbase.nvcache.path is '/mnt/pmem0/nvcache.data'; native memory, the default, needs no"
            + " file: set hbase.nvcache.medium to mapped, flash or llpl, or remove the path";
    assertThatThrownBy(() -> new NvHBaseBlockCache(configuration)).hasMessage(problem);
    assertThat(FromSite.lastFailure()).isEqualTo(problem);
    configuration.set(NvCacheConfiguration.MEDIUM, "native");
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration)).hasMessage(problem);
  }

  @Test
  void shouldHandTheThresholdsToTheCache() {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.25");
    configuration.set(NvCacheConfiguration.TOPOLOGY, "tiered");
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "12345");
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_FRACTION, "0.75");
    configuration.set(NvCacheConfiguration.EVICTION_WINDOW_SECONDS, "77");
    configuration.set(NvCacheConfiguration.FULL_TARGET, "0.5");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.25);
      assertThat(cache.control().settings().smallBypassDramBytes()).isEqualTo(12345);
      assertThat(cache.control().settings().smallBypassFraction()).isEqualTo(0.75);
      assertThat(cache.control().settings().evictionWindow()).hasSeconds(77);
      assertThat(cache.control().settings().fullTarget()).isEqualTo(0.5);
    }
  }

  @Test
  void shouldLimitWritesByTheDayUnlessItIsSetInBytes() {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.WRITE_LIMIT_SECOND_BYTES, "4711");
    configuration.set(NvCacheConfiguration.DRIVE_WRITES_PER_DAY, "0.5");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().settings().writeLimitBytesPerSecond()).isEqualTo(4711);
      assertThat(cache.control().settings().writeLimitBytesPerDay())
          .isEqualTo(cache.stats().capacityBytes() / 2);
    }
    configuration.set(NvCacheConfiguration.WRITE_LIMIT_DAY_BYTES, "815");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().settings().writeLimitBytesPerDay()).isEqualTo(815);
    }
  }

  @Test
  void shouldTakeTheOverheadTargetFromACalibrationUnlessItIsSet(@TempDir Path directory)
      throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("c.json"),
            "[{\"metric\": \"overhead_target\", \"labels\": {}, \"value\": 0.07}]");
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.CALIBRATION, file.toString());
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.07);
    }
    configuration.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.25");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.25);
    }
  }

  @Test
  void shouldCacheOnFlash(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("nvcache.data");
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, "flash");
    configuration.set(NvCacheConfiguration.PATH, file.toString());
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(Files.size(file)).isGreaterThan(cache.stats().capacityBytes());
    }
  }

  @Test
  void shouldCacheOnSeveralVolumes(@TempDir Path directory) throws Exception {
    Path one = Files.createDirectory(directory.resolve("one")).resolve("cache");
    Path two = Files.createDirectory(directory.resolve("two")).resolve("cache");
    Configuration configuration = valid();
    long capacity = configuration.getLong(NvCacheConfiguration.CAPACITY_BYTES, 0);
    configuration.set(NvCacheConfiguration.MEDIUM, "flash");
    configuration.set(NvCacheConfiguration.PATH, one + " , " + two);
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().health().drives()).hasSize(2);
      assertThat(Files.size(one)).isEqualTo(Files.size(two)).isGreaterThan(capacity / 2);
    }
    Files.delete(one);
    Files.delete(two);
    configuration.set(NvCacheConfiguration.PATH, one + "=" + capacity / 4 + "," + two);
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(Files.size(two)).isGreaterThan(2 * Files.size(one));
    }
    configuration.set(NvCacheConfiguration.PATH, one + "=" + capacity / 4 + "," + two + "=1000");
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .hasMessageContaining(NvCacheConfiguration.PATH)
        .hasMessageContaining("add up to " + NvCacheConfiguration.CAPACITY_BYTES);
  }

  /** The sum of the last ones is the capacity, in 64 bits. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=0",
        "a=67108864,b=0",
        "a=67108864,b",
        "a=99999999999999999999",
        "a=9223372036854775807,b=9223372036854775807,c=67108866"
      })
  void shouldRefusePathsThatDoNotShareTheCapacity(String paths) {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, "flash");
    configuration.set(NvCacheConfiguration.PATH, paths);
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            NvCacheConfiguration.PATH + " is '" + paths + "'; it must be paths");
  }

  @Test
  void shouldEncryptFlashByAKeyFromOutside(@TempDir Path directory) throws Exception {
    Configuration configuration = valid();
    Path key = directory.resolve("key");
    configuration.set(NvCacheConfiguration.KEY_FILE, key.toString());
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .hasMessageContaining("hbase.nvcache.key.file is '" + key)
        .hasMessageContaining("set hbase.nvcache.medium to flash");
    configuration.set(NvCacheConfiguration.MEDIUM, "flash");
    configuration.set(NvCacheConfiguration.PATH, directory.resolve("medium").toString());
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .hasMessageContaining("hbase.nvcache.key.file is '" + key)
        .hasMessageContaining("32 random bytes");
    Files.write(key, new byte[32]);
    NvCacheConfiguration.build(configuration).close();
    configuration.unset(NvCacheConfiguration.KEY_FILE);
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().restore().reason()).contains("no key was given");
    }
  }

  @ParameterizedTest
  @EnumSource(PolicyPreset.class)
  void shouldCacheOnAMappedFileWithEachPolicy(PolicyPreset preset, @TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("nvcache.data");
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, "mapped");
    configuration.set(NvCacheConfiguration.PATH, file.toString());
    configuration.set(NvCacheConfiguration.POLICIES, preset.label());
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(Files.size(file)).isGreaterThanOrEqualTo(cache.stats().capacityBytes());
    }
  }

  @Test
  void shouldShowEachCacheOfTheProcessOverJmxUntilItIsShutDown() throws Exception {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MBEAN_NAME, "two-servers");
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName pattern =
        new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=NvCache,cache=two-servers*");
    NvHBaseBlockCache one = new NvHBaseBlockCache(configuration);
    NvHBaseBlockCache other = new NvHBaseBlockCache(configuration);
    assertThat(server.queryNames(pattern, null))
        .extracting(name -> name.getKeyProperty("cache"))
        .containsExactlyInAnyOrder("two-servers", "two-servers-2");
    ObjectName heat =
        new ObjectName(
            "Hadoop:service=HBase,name=RegionServer,sub=NvCacheHeat,cache=two-servers-2");
    assertThat(server.getAttribute(heat, "Drops")).isInstanceOf(TabularData.class);
    one.shutdown();
    one.shutdown();
    other.shutdown();
    assertThat(server.queryNames(pattern, null)).isEmpty();
    assertThat(server.isRegistered(heat)).isFalse();
  }

  /** docs/reference/generated/settings.md lists each key once. */
  @Test
  void shouldBeDocumented() throws Exception {
    Set<String> keys = new TreeSet<>();
    for (Field field : NvCacheConfiguration.class.getFields()) {
      keys.add((String) field.get(null));
    }
    for (LiveSetting setting : LiveSetting.values()) { // Read without a constant as well.
      keys.add(NvCacheConfiguration.PREFIX + setting.key());
    }
    List<String> documented =
        Files.readAllLines(Path.of("..", "..", "docs", "reference", "generated", "settings.md"))
            .stream()
            .filter(line -> line.startsWith("| `" + NvCacheConfiguration.PREFIX))
            .map(line -> line.split("`", -1)[1])
            .toList();
    assertThat(documented).containsExactlyInAnyOrderElementsOf(keys);
  }
}
