// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.control.LiveSetting;
import io.nvcache.host.CacheSettings;
import io.nvcache.host.TextSettings;
import io.nvcache.lucene.CacheRule;
import io.nvcache.lucene.LuceneCache;
import io.nvcache.lucene.LuceneCacheBuilder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The settings of a node, under {@code nvcache.} in {@code opensearch.yml}. */
final class NodeSettings {
  private static final String PREFIX = "nvcache.";

  static final Setting<ByteSizeValue> CAPACITY =
      bytes("capacity", new ByteSizeValue(0), Property.NodeScope);

  /** The medium that lies in memory. */
  static final String NATIVE = "native";

  /** The medium whose blocks are copied to be read. */
  static final String FLASH = "flash";

  static final Setting<String> MEDIUM =
      Setting.simpleString(PREFIX + "medium", NATIVE, Property.NodeScope);
  private static final Setting<String> PATH = text("path");

  private static final Setting<ByteSizeValue> BLOCK_SIZE =
      bytes(
          "block.size",
          new ByteSizeValue(LuceneCacheBuilder.DEFAULT_BLOCK_BYTES),
          Property.NodeScope);
  private static final Setting<ByteSizeValue> READ_AHEAD_SIZE =
      bytes("read_ahead.size", new ByteSizeValue(128, ByteSizeUnit.KB), Property.NodeScope);
  private static final Setting<Integer> PREFETCH_THREADS =
      Setting.intSetting(PREFIX + "prefetch.threads", 16, 0, 256, Property.NodeScope);

  /** A miss is a request of the remote store, which a write to a local medium never costs. */
  private static final double STANDARD_OVERHEAD_TARGET = 1.0;

  private static final Setting<Double> OVERHEAD_TARGET =
      Setting.doubleSetting(
          PREFIX + "overhead.target",
          STANDARD_OVERHEAD_TARGET,
          (double) LiveSetting.OVERHEAD_TARGET.least(),
          (double) LiveSetting.OVERHEAD_TARGET.most(),
          Property.NodeScope,
          Property.Dynamic);
  private static final Setting<ByteSizeValue> WRITE_LIMIT_SECOND =
      bytes("write.limit.second", new ByteSizeValue(0), Property.NodeScope, Property.Dynamic);
  private static final Setting<ByteSizeValue> WRITE_LIMIT_DAY =
      bytes("write.limit.day", new ByteSizeValue(0), Property.NodeScope, Property.Dynamic);

  /** What core's hosts have in common, and OpenSearch has no form for. */
  private static final List<Setting<String>> COMMON =
      Stream.of("key.file", "overwrite", "policies", "calibration", "drive.writes.per.day")
          .map(NodeSettings::text)
          .toList();

  /** A block cache takes no lower bound for its blocks. */
  private static final int LEAST_MAX_BLOCK_BYTES = 4096;

  private NodeSettings() {}

  private static Setting<String> text(String end) {
    return Setting.simpleString(PREFIX + end, Property.NodeScope);
  }

  private static Setting<ByteSizeValue> bytes(
      String end, ByteSizeValue byDefault, Property... properties) {
    return Setting.byteSizeSetting(
        PREFIX + end,
        byDefault,
        new ByteSizeValue(0),
        new ByteSizeValue(Long.MAX_VALUE),
        properties);
  }

  static List<Setting<?>> all() {
    return Stream.<Setting<?>>concat(
            Stream.of(
                CAPACITY,
                MEDIUM,
                PATH,
                BLOCK_SIZE,
                READ_AHEAD_SIZE,
                PREFETCH_THREADS,
                OVERHEAD_TARGET,
                WRITE_LIMIT_SECOND,
                WRITE_LIMIT_DAY),
            COMMON.stream())
        .toList();
  }

  /** Returns whether the blocks lie in a file, and so take of the node's disk. */
  static boolean isOnDisk(Settings settings) {
    return !MEDIUM.get(settings).equals(NATIVE);
  }

  /**
   * Builds the cache of a node.
   *
   * @param folder where the file of the medium is unless a path is set
   * @param name of the MBeans
   * @throws IllegalArgumentException if a setting has no usable value
   */
  static LuceneCache build(Settings settings, Path folder, String name) {
    String ownPath = folder.resolve("blocks").toString();
    TextSettings text =
        new TextSettings(
            key ->
                settings.get(key, key.equals(PATH.getKey()) && isOnDisk(settings) ? ownPath : null),
            "opensearch.yml");
    Map<String, String> names = new HashMap<>(CacheSettings.settingNames(PREFIX));
    names.put("capacityBytes", CAPACITY.getKey());
    names.put("maxBlockBytes", BLOCK_SIZE.getKey());
    int blockBytes =
        Math.toIntExact(Math.min(Integer.MAX_VALUE, BLOCK_SIZE.get(settings).getBytes()));
    BlockCacheBuilder builder = BlockCache.builder().settingNames(names);
    CacheSettings common = new CacheSettings(text, PREFIX);
    common.applyMedium(builder, CAPACITY.get(settings).getBytes(), "the node");
    common.applyPolicies(builder, Set.of());
    BlockCache blocks =
        builder
            .set(LiveSetting.OVERHEAD_TARGET, OVERHEAD_TARGET.get(settings))
            .set(
                LiveSetting.WRITE_LIMIT_BYTES_PER_SECOND,
                WRITE_LIMIT_SECOND.get(settings).getBytes())
            .set(LiveSetting.WRITE_LIMIT_BYTES_PER_DAY, WRITE_LIMIT_DAY.get(settings).getBytes())
            .maxBlockBytes(Math.max(LEAST_MAX_BLOCK_BYTES, blockBytes))
            .expectedBlockBytes(blockBytes)
            .registerMBean(name)
            .build();
    try {
      return LuceneCache.builder(blocks)
          .blockBytes(blockBytes)
          .readAheadBytes(READ_AHEAD_SIZE.get(settings).getBytes())
          .prefetchThreads(PREFETCH_THREADS.get(settings))
          .rule("none", CacheRule.BYPASS) // Commits and metadata, which lie here.
          .registerMBean(name)
          .build();
    } catch (RuntimeException | Error e) {
      blocks.close(); // Or its name and its file would be in use at the next try.
      throw e;
    }
  }

  /** Has the settings that may be changed while a node runs change its cache. */
  static void follow(ClusterSettings changes, BlockCache blocks) {
    changes.addSettingsUpdateConsumer(
        OVERHEAD_TARGET, ratio -> blocks.control().settings().setOverheadTarget(ratio));
    changes.addSettingsUpdateConsumer(
        WRITE_LIMIT_SECOND,
        limit ->
            blocks
                .control()
                .settings()
                .set(LiveSetting.WRITE_LIMIT_BYTES_PER_SECOND, limit.getBytes()));
    changes.addSettingsUpdateConsumer(
        WRITE_LIMIT_DAY,
        limit ->
            blocks
                .control()
                .settings()
                .set(LiveSetting.WRITE_LIMIT_BYTES_PER_DAY, limit.getBytes()));
  }
}
