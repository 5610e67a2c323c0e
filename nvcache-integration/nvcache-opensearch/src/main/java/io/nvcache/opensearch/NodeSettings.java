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
import java.util.function.BiFunction;
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

  private static final String[] MEDIA = {NATIVE, "mapped", FLASH};

  static final Setting<String> MEDIUM =
      checked("medium", NATIVE, (text, key) -> text.choice(key, MEDIA), Property.NodeScope);
  private static final Setting<String> PATH = text("path");

  private static final ByteSizeValue LEAST_BLOCK_SIZE = new ByteSizeValue(1, ByteSizeUnit.KB);
  private static final ByteSizeValue MOST_BLOCK_SIZE = new ByteSizeValue(1, ByteSizeUnit.MB);

  private static final Setting<ByteSizeValue> BLOCK_SIZE =
      checked(
          "block.size",
          LuceneCacheBuilder.DEFAULT_BLOCK_BYTES + "b",
          NodeSettings::blockSize,
          Property.NodeScope);
  private static final Setting<ByteSizeValue> READ_AHEAD_SIZE =
      bytes("read_ahead.size", new ByteSizeValue(128, ByteSizeUnit.KB), Property.NodeScope);
  private static final Setting<Integer> PREFETCH_THREADS =
      Setting.intSetting(PREFIX + "prefetch.threads", 16, 0, 256, Property.NodeScope);

  /** A miss is a request of the remote store, which a write to a local medium never costs. */
  private static final double STANDARD_OVERHEAD_TARGET = 1.0;

  private static final Setting<Double> OVERHEAD_TARGET =
      checked(
          "overhead.target",
          Double.toString(STANDARD_OVERHEAD_TARGET),
          (text, key) -> (Double) text.live(key, LiveSetting.OVERHEAD_TARGET),
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

  /** So many blocks a medium has to hold. */
  private static final long LEAST_BLOCKS = 8;

  private NodeSettings() {}

  private static Setting<String> text(String end) {
    return Setting.simpleString(PREFIX + end, Property.NodeScope);
  }

  /**
   * Makes a setting that takes what the cache takes, and nothing else: a value that the manager of
   * a cluster lets pass and the cache refuses would keep each node from following the cluster.
   */
  private static <T> Setting<T> checked(
      String end,
      String byDefault,
      BiFunction<TextSettings, String, T> reader,
      Property... properties) {
    String key = PREFIX + end;
    return new Setting<>(
        key,
        byDefault,
        value -> reader.apply(new TextSettings(same -> value, "the settings"), key),
        properties);
  }

  private static ByteSizeValue blockSize(TextSettings text, String key) {
    ByteSizeValue size = ByteSizeValue.parseBytesSizeValue(text.text(key, ""), key);
    if (size.compareTo(LEAST_BLOCK_SIZE) < 0
        || size.compareTo(MOST_BLOCK_SIZE) > 0
        || Long.bitCount(size.getBytes()) != 1) {
      throw text.outOfRange(
          key, "a power of two from " + LEAST_BLOCK_SIZE + " to " + MOST_BLOCK_SIZE);
    }
    return size;
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
    int blockBytes = (int) BLOCK_SIZE.get(settings).getBytes();
    int maxBlockBytes = Math.max(LEAST_MAX_BLOCK_BYTES, blockBytes);
    long capacityBytes = CAPACITY.get(settings).getBytes();
    if (capacityBytes < LEAST_BLOCKS * maxBlockBytes) {
      throw text.outOfRange(
          CAPACITY.getKey(),
          "at least " + LEAST_BLOCKS + " times " + BLOCK_SIZE.getKey() + ", and 32kb");
    }
    BlockCacheBuilder builder = BlockCache.builder().settingNames(names);
    CacheSettings common = new CacheSettings(text, PREFIX);
    common.applyMedium(builder, capacityBytes, "the node");
    common.applyPolicies(builder, Set.of());
    BlockCache blocks =
        builder
            .set(LiveSetting.OVERHEAD_TARGET, OVERHEAD_TARGET.get(settings))
            .set(
                LiveSetting.WRITE_LIMIT_BYTES_PER_SECOND,
                WRITE_LIMIT_SECOND.get(settings).getBytes())
            .set(LiveSetting.WRITE_LIMIT_BYTES_PER_DAY, WRITE_LIMIT_DAY.get(settings).getBytes())
            .maxBlockBytes(maxBlockBytes)
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
