// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.host.KnownKeys;
import io.nvcache.host.TextSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the process, for directories that are made by name. It is built by these system
 * properties when it is first asked for, and stays open until the JVM ends:
 *
 * <ul>
 *   <li>{@code nvcache.lucene.capacity.bytes}: bytes of the blocks; 64 MiB unless set
 *   <li>{@code nvcache.lucene.block.bytes}: bytes of a block; 16 KiB unless set
 *   <li>{@code nvcache.lucene.file}: a file to map, made for the cache; native memory unless set
 *   <li>{@code nvcache.lucene.overwrite}: the same file, if it may be overwritten whatever it holds
 *   <li>{@code nvcache.lucene.name}: the name of its MBeans; {@code lucene} unless set
 * </ul>
 *
 * <p>Another property that begins with {@code nvcache.lucene.} is refused.
 */
public final class SharedCache {
  private static final String PREFIX = "nvcache.lucene.";
  private static final String CAPACITY = PREFIX + "capacity.bytes";
  private static final String BLOCK = PREFIX + "block.bytes";
  private static final String FILE = PREFIX + "file";
  private static final String OVERWRITE = PREFIX + "overwrite";
  private static final String NAME = PREFIX + "name";
  private static final KnownKeys KEYS =
      new KnownKeys(List.of(CAPACITY, BLOCK, FILE, OVERWRITE, NAME));
  private static final long DEFAULT_CAPACITY_BYTES = 64L << 20;

  /** A block cache takes no lower bound for its blocks. */
  private static final int LEAST_MAX_BLOCK_BYTES = 4096;

  private static @Nullable LuceneCache shared;

  private SharedCache() {}

  /**
   * Returns the cache of the process, and builds it if this is the first call.
   *
   * @throws IllegalArgumentException if a property is unknown or has no usable value
   */
  public static synchronized LuceneCache get() {
    if (shared == null || shared.isClosed()) {
      shared = build(System.getProperties());
    }
    return shared;
  }

  static LuceneCache build(Properties properties) {
    KEYS.check(
        properties.stringPropertyNames().stream().filter(key -> key.startsWith(PREFIX)).toList());
    TextSettings settings = new TextSettings(properties::getProperty, "the JVM's properties");
    long capacityBytes = settings.integer(CAPACITY, DEFAULT_CAPACITY_BYTES, 1, Long.MAX_VALUE);
    long blockBytes =
        settings.integer(BLOCK, LuceneCacheBuilder.DEFAULT_BLOCK_BYTES, 1, Long.MAX_VALUE);
    BlockCacheBuilder blocks = BlockCache.builder().settingNames(Map.of("overwriting", OVERWRITE));
    if (settings.isSet(FILE)) {
      blocks.mappedFile(Path.of(settings.text(FILE, "")), capacityBytes);
      if (settings.isSet(OVERWRITE)) {
        blocks.overwriting(Path.of(settings.text(OVERWRITE, "")));
      }
    } else {
      blocks.nativeMemory(capacityBytes);
    }
    String name = settings.text(NAME, "lucene");
    int checked =
        LuceneCacheBuilder.checkBlockBytes(
            Math.toIntExact(Math.min(blockBytes, Integer.MAX_VALUE)));
    BlockCache built =
        blocks
            .maxBlockBytes(Math.max(LEAST_MAX_BLOCK_BYTES, checked))
            .expectedBlockBytes(checked)
            .registerMBean(name)
            .build();
    try {
      return LuceneCache.builder(built).blockBytes(checked).registerMBean(name).build();
    } catch (RuntimeException | Error e) {
      built.close(); // Or its name and its file would be in use at the next try.
      throw e;
    }
  }
}
