// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.RestoreReport.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeSettingsTest {
  private static Properties valid() {
    Properties given = new Properties();
    given.setProperty(NodeSettings.CAPACITY_BYTES, "67108864");
    return given;
  }

  @ParameterizedTest
  @CsvSource({
    "nvcache.capacity.bytes, 4194303, a whole number from 4194304 to",
    "nvcache.capacity.bytes, 64g, a whole number from 4194304 to",
    "nvcache.medium, nvme, 'one of native, mapped, flash'",
    "nvcache.policies, lru, 'one of default, paper, paper-20, paper-4, decaying, admit-all'",
    "nvcache.overhead.target, 10.5, a number from 0 to 10",
    "nvcache.overhead.target, NaN, a number from 0 to 10",
    "nvcache.smallbypass.dram.bytes, -1, a whole number from 0 to",
    "nvcache.smallbypass.fraction, 0, 'a number above 0, up to 1'",
    "nvcache.smallbypass.fraction, half, 'a number above 0, up to 1'",
    "nvcache.block.expected.bytes, 63, a whole number from 64 to 262144",
    "nvcache.block.expected.bytes, 262145, a whole number from 64 to 262144",
    "nvcache.block.max.bytes, 16777217, a whole number from 4096 to 16777216",
    "nvcache.prometheus.port, 65536, a whole number from 0 to 65535",
    "nvcache.write.limit.second.bytes, -1, a whole number from 0 to",
    "nvcache.write.limit.day.bytes, 1e9, a whole number from 0 to",
    "nvcache.drive.writes.per.day, 1001, a number from 0 to 1000",
    "nvcache.restart, hot, 'one of cold, warm'",
    "nvcache.summary.seconds, 86401, a whole number from 0 to 86400",
  })
  void shouldNameKeyValueRangeAndRemedyOfABadValue(String key, String value, String range) {
    Properties given = valid();
    given.setProperty(key, value);
    assertThatThrownBy(() -> NodeSettings.of(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key + " is '" + value + "'; it must be " + range)
        .hasMessageEndingWith("change or remove it in the settings of the agent")
        .hasMessageNotContaining("\n");
  }

  @Test
  void shouldAskForTheCapacity() {
    assertThatThrownBy(() -> NodeSettings.of(new Properties()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("nvcache.capacity.bytes is not set");
  }

  @Test
  void shouldRefuseAKeyThatIsNone() {
    Properties given = valid();
    given.setProperty("nvcache.capacty", "1");
    assertThatThrownBy(() -> NodeSettings.of(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "unknown setting nvcache.capacty; the nearest is nvcache.capacity.bytes; there are"
                + " nvcache.block");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapped", "flash"})
  void shouldAskForTheMediumsFileAndForItsDirectory(String medium) {
    Properties given = valid();
    given.setProperty(NodeSettings.MEDIUM, medium);
    assertThatThrownBy(() -> NodeSettings.of(given))
        .hasMessageContaining("nvcache.path is not set");
    given.setProperty(NodeSettings.PATH, "/no/such/directory/file");
    assertThatThrownBy(() -> NodeSettings.of(given))
        .hasMessageContaining("its directory must exist and be writable");
  }

  @Test
  void shouldRefuseAFileForMemory() {
    Properties given = valid();
    given.setProperty(NodeSettings.PATH, "/mnt/pmem0/nvcache.data");
    String problem =
        "nvcache.path is '/mnt/pmem0/nvcache.data'; native memory, the default, needs no file: set"
            + " nvcache.medium to mapped or flash, or remove the path";
    assertThatThrownBy(() -> NodeSettings.of(given)).hasMessage(problem);
    given.setProperty(NodeSettings.MEDIUM, "native");
    assertThatThrownBy(() -> NodeSettings.of(given)).hasMessage(problem);
  }

  @Test
  void shouldCacheOnFlash(@TempDir Path directory) throws Exception {
    Properties given = valid();
    given.setProperty(NodeSettings.MEDIUM, "flash");
    given.setProperty(NodeSettings.PATH, directory.resolve("medium").toString());
    NodeSettings settings = NodeSettings.of(given);
    assertThat(settings.mayKeepBlocks()).isTrue();
    try (BlockCache cache = settings.cache().build()) {
      assertThat(settings.describe(cache)).startsWith("64 MiB of flash at " + directory);
      assertThat(Files.size(directory.resolve("medium"))).isGreaterThan(64 << 20);
      assertThat(cache.control().restore().state()).isEqualTo(State.COLD);
    }
    given.setProperty(NodeSettings.RESTART, "cold");
    settings = NodeSettings.of(given);
    assertThat(settings.mayKeepBlocks()).isFalse();
    try (BlockCache cache = settings.cache().build()) {
      assertThat(cache.control().restore().state()).isEqualTo(State.OFF);
    }
  }

  @Test
  void shouldCacheOnSeveralVolumes(@TempDir Path directory) throws Exception {
    Properties given = valid();
    Path one = Files.createDirectory(directory.resolve("one")).resolve("cache");
    Path two = Files.createDirectory(directory.resolve("two")).resolve("cache");
    given.setProperty(NodeSettings.MEDIUM, "flash");
    given.setProperty(NodeSettings.PATH, one + "," + two);
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().health().drives()).hasSize(2);
    }
    Files.move(directory.resolve("two"), directory.resolve("aside"));
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().health().drives()).filteredOn(drive -> !drive.serves()).hasSize(1);
    }
  }

  @Test
  void shouldEncryptFlashByAKeyFromOutside(@TempDir Path directory) throws Exception {
    Properties given = valid();
    Path key = directory.resolve("key");
    given.setProperty(NodeSettings.KEY_FILE, key.toString());
    assertThatThrownBy(() -> NodeSettings.of(given))
        .hasMessageContaining("nvcache.key.file is '" + key)
        .hasMessageContaining("set nvcache.medium to flash");
    given.setProperty(NodeSettings.MEDIUM, "flash");
    given.setProperty(NodeSettings.PATH, directory.resolve("medium").toString());
    assertThatThrownBy(() -> NodeSettings.of(given))
        .hasMessageContaining("nvcache.key.file is '" + key)
        .hasMessageContaining("32 random bytes");
    Files.write(key, new byte[32]);
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().restore().state()).isEqualTo(State.COLD);
    }
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().restore().state()).isNotEqualTo(State.COLD);
    }
    given.remove(NodeSettings.KEY_FILE);
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().restore().reason()).contains("no key was given");
    }
  }

  @Test
  void shouldFindNoBlocksAgainInMemory() {
    Properties given = valid();
    assertThat(NodeSettings.of(given).mayKeepBlocks()).isFalse();
    given.setProperty(NodeSettings.RESTART, "warm");
    assertThatThrownBy(() -> NodeSettings.of(given))
        .hasMessageContaining("nvcache.restart is 'warm'")
        .hasMessageContaining("set nvcache.medium to flash");
  }

  @Test
  void shouldHandTheSettingsToTheCacheWithoutBuildingIt(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("medium");
    Properties given = valid();
    given.setProperty(NodeSettings.MEDIUM, "mapped");
    given.setProperty(NodeSettings.PATH, file.toString());
    given.setProperty(NodeSettings.OVERHEAD_TARGET, "0.25");
    given.setProperty(NodeSettings.SMALL_BYPASS_DRAM_BYTES, "12345");
    given.setProperty(NodeSettings.SMALL_BYPASS_FRACTION, "0.75");
    given.setProperty(NodeSettings.POLICIES, "paper-4");
    given.setProperty(NodeSettings.SUMMARY_SECONDS, "7");
    NodeSettings settings = NodeSettings.of(given);
    assertThat(file).doesNotExist();
    assertThat(settings.summaryInterval()).isEqualTo(Duration.ofSeconds(7));
    try (BlockCache cache = settings.cache().build()) {
      assertThat(settings.describe(cache))
          .isEqualTo(
              "64 MiB mapped from "
                  + file
                  + ", policies paper-4, overhead target 25.00 %, small bypass below 12.1 KiB of"
                  + " DRAM");
      assertThat(file).exists();
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.25);
      assertThat(cache.control().settings().smallBypassDramBytes()).isEqualTo(12345);
      assertThat(cache.control().settings().smallBypassFraction()).isEqualTo(0.75);
      assertThat(cache.control().settings().evictionWindow()).isEqualTo(Duration.ofSeconds(4));
    }
  }

  @Test
  void shouldLimitWritesByTheDayUnlessItIsSetInBytes() {
    Properties given = valid();
    given.setProperty(NodeSettings.WRITE_LIMIT_SECOND_BYTES, "4711");
    given.setProperty(NodeSettings.DRIVE_WRITES_PER_DAY, "0.5");
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().settings().writeLimitBytesPerSecond()).isEqualTo(4711);
      assertThat(cache.control().settings().writeLimitBytesPerDay())
          .isEqualTo(cache.stats().capacityBytes() / 2);
    }
    given.setProperty(NodeSettings.WRITE_LIMIT_DAY_BYTES, "815");
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().settings().writeLimitBytesPerDay()).isEqualTo(815);
    }
  }

  @Test
  void shouldNotBypassUnlessAskedTo() {
    Properties given = valid();
    given.setProperty(NodeSettings.POLICIES, "paper");
    NodeSettings settings = NodeSettings.of(given);
    try (BlockCache cache = settings.cache().build()) {
      assertThat(cache.control().settings().smallBypassDramBytes()).isZero();
      assertThat(settings.describe(cache))
          .isEqualTo(
              "64 MiB of native memory, policies paper, overhead target 10.00 %, small bypass off");
    }
  }

  @Test
  void shouldNameTheSettingToLowerWhenTheSystemRefusesTheMemory() {
    Properties given = new Properties();
    given.setProperty(NodeSettings.CAPACITY_BYTES, Long.toString(200L << 40));
    given.setProperty(NodeSettings.EXPECTED_BLOCK_BYTES, Integer.toString(16 << 20));
    given.setProperty(NodeSettings.MAX_BLOCK_BYTES, Integer.toString(16 << 20));
    BlockCacheBuilder builder = NodeSettings.of(given).cache();
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes of native memory were asked for")
        .hasMessageEndingWith("in all; ask for less: lower nvcache.capacity.bytes");
  }

  @ParameterizedTest
  @CsvSource({"4194304, 65536", "8388608, 131072", "16777216, 262144", "67108864, 262144"})
  void shouldTakeChunksUpToA64thOfTheCapacity(long capacity, int longest) {
    Properties given = new Properties();
    given.setProperty(NodeSettings.CAPACITY_BYTES, Long.toString(capacity));
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      cache.offer(1, 0, ByteBuffer.allocate(longest), Source.READ);
      assertThat(cache.stats().offers(OfferResult.TOO_LARGE)).isZero();
      assertThat(cache.offer(1, 1 << 20, ByteBuffer.allocate(longest + 1), Source.READ))
          .isEqualTo(OfferResult.TOO_LARGE);
    }
  }

  @Test
  void shouldHaveChecksumsOnPlainMemoryToo() {
    long without;
    try (BlockCache cache = NodeSettings.of(valid()).cache().checksum(Checksum.NONE).build()) {
      without = cache.stats().metadataBytes();
    }
    try (BlockCache cache = NodeSettings.of(valid()).cache().build()) {
      assertThat(cache.stats().metadataBytes()).isGreaterThan(without);
    }
  }

  @Test
  void shouldTakeTheOverheadTargetFromACalibrationUnlessItIsSet(@TempDir Path directory)
      throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("c.json"),
            "[{\"metric\": \"overhead_target\", \"labels\": {}, \"value\": 0.07}]");
    Properties given = valid();
    given.setProperty(NodeSettings.CALIBRATION, file.toString());
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.07);
    }
    given.setProperty(NodeSettings.OVERHEAD_TARGET, "0.25");
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.25);
    }
    given.setProperty(NodeSettings.CALIBRATION, directory.resolve("none").toString());
    assertThatThrownBy(() -> NodeSettings.of(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("nvcache.calibration: can't read");
  }

  @Test
  void shouldListenForPrometheusOnLoopbackUnlessTold() {
    Properties given = valid();
    assertThat(NodeSettings.of(given).prometheus()).isNull();
    given.setProperty(NodeSettings.PROMETHEUS_PORT, "9100");
    assertThat(NodeSettings.of(given).prometheus().getAddress().isLoopbackAddress()).isTrue();
    given.setProperty(NodeSettings.PROMETHEUS_ADDRESS, "10.0.0.1");
    assertThat(NodeSettings.of(given).prometheus().getHostString()).isEqualTo("10.0.0.1");
  }

  @Test
  void shouldSplitNamesAtCommasSemicolonsAndBlanks() {
    Properties given = valid();
    given.setProperty(NodeSettings.INCLUDE, "a, b.c;d  e");
    assertThat(NodeSettings.of(given).tables().include())
        .containsExactlyInAnyOrder("a", "b.c", "d", "e");
    assertThat(NodeSettings.of(given).tables().exclude()).isEqualTo(TableFilter.CASSANDRAS_OWN);
  }

  @Test
  void shouldReadArgumentsFromAFileFromTheLineOrFromBoth(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("nvcache.properties"),
            "nvcache.capacity.bytes=1\nnvcache.medium=mapped\n");
    assertThat(AgentArguments.parse(file.toString()))
        .containsEntry("nvcache.capacity.bytes", "1")
        .containsEntry("nvcache.medium", "mapped");
    assertThat(AgentArguments.parse("config=" + file + ",nvcache.capacity.bytes=2"))
        .hasSize(2)
        .containsEntry("nvcache.capacity.bytes", "2")
        .containsEntry("nvcache.medium", "mapped");
    assertThat(AgentArguments.parse("nvcache.path=/a=b")).containsEntry("nvcache.path", "/a=b");
  }

  @Test
  void shouldReadSeveralDrivesFromTheLine(@TempDir Path directory) {
    String drives = directory.resolve("a") + "=16777216," + directory.resolve("b");
    Properties given =
        AgentArguments.parse(
            "nvcache.medium=flash,nvcache.path=" + drives + ",nvcache.capacity.bytes=33554432");
    assertThat(given).hasSize(3).containsEntry("nvcache.path", drives);
    try (BlockCache cache = NodeSettings.of(given).cache().build()) {
      assertThat(cache.control().health().drives()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/no/such/file", "a=1,,b=2", "=1", "/a=1,b"})
  void shouldSayWhatIsWrongWithArguments(String arguments) {
    assertThatThrownBy(() -> AgentArguments.parse(arguments))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("\n");
  }

  @Test
  void shouldNameTheFileWithABrokenEscape(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("p"), "nvcache.medium=\\u12");
    assertThatThrownBy(() -> AgentArguments.parse(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("can't read the settings in " + file);
  }

  @Test
  void shouldNotReadSettingsFromAFileThatAFileNames(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("p"), "config=/other\n");
    assertThatThrownBy(() -> AgentArguments.parse(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the settings in " + file + " name another file; write all of them in one");
  }
}
