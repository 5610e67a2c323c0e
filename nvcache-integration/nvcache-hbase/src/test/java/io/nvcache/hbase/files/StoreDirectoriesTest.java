// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StoreDirectoriesTest {
  private final Configuration configuration = new Configuration(false);

  @ParameterizedTest
  @CsvSource({
    "file:///hbase, file:///, /hbase",
    "/hbase, file:///, /hbase",
    "/hbase, hdfs://name:8020, ",
    "hdfs://name:8020/hbase, file:///, ",
    "s3a://bucket/hbase, file:///, ",
  })
  void shouldFindTheRootIfItIsLocal(String root, String fileSystem, Path local) {
    configuration.set("hbase.rootdir", root);
    configuration.set("fs.defaultFS", fileSystem);
    if (local == null) {
      assertThat(StoreDirectories.of(configuration)).isEmpty();
    } else {
      assertThat(StoreDirectories.of(configuration)).containsExactly(local);
    }
  }

  @Test
  void shouldFindTheDirectoriesOfADataNodeThatAreHere(@TempDir Path directory) {
    configuration.set(
        "dfs.datanode.data.dir", "[SSD]file://" + directory + ", /nowhere/data, " + directory);
    assertThat(StoreDirectories.of(configuration)).containsExactly(directory, directory);
  }

  @Test
  void shouldLeaveTheJudgementToWhatIsMeasured(@TempDir Path directory) {
    configuration.set("hbase.rootdir", directory.resolve("hbase").toUri().toString());
    configuration.set(NvCacheConfiguration.CAPACITY_BYTES, "67108864");
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().conditions()).isEmpty(); // Memory.
    }
    configuration.set(NvCacheConfiguration.MEDIUM, "flash");
    configuration.set(NvCacheConfiguration.PATH, directory.resolve("cache").toString());
    try (BlockCache cache = NvCacheConfiguration.build(configuration)) {
      assertThat(cache.control().conditions()).isEmpty(); // The same drive, and that alone.
    }
  }
}
