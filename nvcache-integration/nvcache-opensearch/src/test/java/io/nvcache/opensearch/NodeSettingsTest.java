// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.lucene.LuceneCache;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;

final class NodeSettingsTest {
  @TempDir private Path folder;

  private static Settings.Builder settings() {
    return Settings.builder().put("nvcache.capacity", "32mb");
  }

  /**
   * The manager of a cluster checks a change by its setting alone. What a node then refuses it
   * refuses with the whole state of the cluster, and follows that no more.
   */
  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-1", "11", "-Infinity", "ten", ""})
  void shouldRefuseAChangeBeforeANodeGetsIt(String target) {
    ClusterSettings cluster = new ClusterSettings(Settings.EMPTY, Set.copyOf(NodeSettings.all()));
    Settings change = Settings.builder().put("nvcache.overhead.target", target).build();
    assertThatThrownBy(() -> cluster.validate(change, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasStackTraceContaining("nvcache.overhead.target is '" + target + "'; it must be");
  }

  @Test
  void shouldFollowEachChangeThatPasses() {
    ClusterSettings cluster = new ClusterSettings(Settings.EMPTY, Set.copyOf(NodeSettings.all()));
    try (LuceneCache cache = NodeSettings.build(settings().build(), folder, "changed")) {
      NodeSettings.follow(cluster, cache.blocks());
      Settings change =
          Settings.builder()
              .put("nvcache.overhead.target", "10")
              .put("nvcache.write.limit.second", Long.MAX_VALUE + "b")
              .put("nvcache.write.limit.day", "0")
              .build();
      cluster.validate(change, false);
      cluster.applySettings(change);
      assertThat(cache.blocks().control().settings().overheadTarget()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nvcache.medium, NATIVE",
    "nvcache.path, /tmp/x",
    "nvcache.capacity, 0b",
    "nvcache.capacity, 127kb",
    "nvcache.block.size, 0b",
    "nvcache.block.size, 3kb",
    "nvcache.block.size, 2mb",
    "nvcache.block.size, 3gb",
    "nvcache.block.size, large",
    "nvcache.overhead.target, NaN",
    "nvcache.drive.writes.per.day, -1",
    "nvcache.policies, best",
    "nvcache.calibration, /no/file",
    "nvcache.key.file, /no/file",
    "nvcache.prefetch.threads, -1",
    "nvcache.write.limit.day, 10"
  })
  void shouldNameTheKeyOfAValueThatIsNone(String key, String value) {
    Settings settings = settings().put(key, value).build();
    assertThatThrownBy(() -> NodeSettings.build(settings, folder, "refused"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  @Test
  void shouldTakeTheLeastCapacityThatThereIs() {
    Settings settings =
        settings().put("nvcache.capacity", "32kb").put("nvcache.block.size", "1kb").build();
    NodeSettings.build(settings, folder, "least").close();
  }

  @Test
  void shouldTakeABlankMediumForNone() {
    Settings settings = settings().put("nvcache.medium", " ").build();
    assertThat(NodeSettings.isOnDisk(settings)).isFalse();
    NodeSettings.build(settings, folder, "blank").close();
    assertThat(folder).isEmptyDirectory();
  }
}
