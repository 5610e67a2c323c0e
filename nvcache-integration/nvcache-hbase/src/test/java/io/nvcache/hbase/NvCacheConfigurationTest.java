// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvCacheConfigurationTest {
  private static Configuration valid() {
    Configuration configuration = new Configuration(false);
    configuration.set(NvCacheConfiguration.CAPACITY_BYTES, "67108864");
    return configuration;
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.nvcache.capacity.bytes, 0, a whole number from 1 to",
    "hbase.nvcache.capacity.bytes, 64g, a whole number from 1 to",
    "hbase.nvcache.medium, nvme, 'one of native, mapped'",
    "hbase.nvcache.admission, none, 'one of standard, paper, all'",
    "hbase.nvcache.eviction, lru, 'one of clock, lfru, fifo'",
    "hbase.nvcache.overhead.target, 10.5, a number from 0 to 10",
    "hbase.nvcache.overhead.target, NaN, a number from 0 to 10",
    "hbase.nvcache.smallbypass.dram.bytes, -1, a whole number from 0 to",
    "hbase.nvcache.smallbypass.fraction, 0, 'a number above 0, up to 1'",
    "hbase.nvcache.smallbypass.fraction, half, 'a number above 0, up to 1'",
    "hbase.nvcache.block.expected.bytes, 63, a whole number from 64 to 16777216",
    "hbase.nvcache.block.max.bytes, 16777217, a whole number from 4096 to 16777216",
  })
  void shouldNameKeyValueRangeAndRemedyOfABadValue(String key, String value, String range) {
    Configuration configuration = valid();
    configuration.set(key, value);
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(key + " is '" + value + "'; it must be " + range)
        .hasMessageEndingWith("change or remove it in hbase-site.xml");
  }

  @Test
  void shouldAskForTheCapacity() {
    assertThatThrownBy(() -> NvCacheConfiguration.build(new Configuration(false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbase.nvcache.capacity.bytes is not set");
  }

  @Test
  void shouldAskForTheFileToMap() {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, "mapped");
    assertThatThrownBy(() -> NvCacheConfiguration.build(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbase.nvcache.path is not set");
  }

  @Test
  void shouldHandTheThresholdsToTheCache() {
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.25");
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "12345");
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_FRACTION, "0.75");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.settings().overheadTarget()).isEqualTo(0.25);
      assertThat(cache.settings().smallBypassDramBytes()).isEqualTo(12345);
      assertThat(cache.settings().smallBypassFraction()).isEqualTo(0.75);
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
      assertThat(cache.settings().overheadTarget()).isEqualTo(0.07);
    }
    configuration.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.25");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.settings().overheadTarget()).isEqualTo(0.25);
    }
  }

  @ParameterizedTest
  @CsvSource({"standard, clock", "paper, lfru", "all, fifo"})
  void shouldCacheOnAMappedFileWithEachPolicy(
      String admission, String eviction, @TempDir Path directory) throws Exception {
    Path file = directory.resolve("nvcache.data");
    Configuration configuration = valid();
    configuration.set(NvCacheConfiguration.MEDIUM, "mapped");
    configuration.set(NvCacheConfiguration.PATH, file.toString());
    configuration.set(NvCacheConfiguration.ADMISSION, admission);
    configuration.set(NvCacheConfiguration.EVICTION, eviction);
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(Files.size(file)).isGreaterThanOrEqualTo(cache.stats().capacityBytes());
    }
  }
}
