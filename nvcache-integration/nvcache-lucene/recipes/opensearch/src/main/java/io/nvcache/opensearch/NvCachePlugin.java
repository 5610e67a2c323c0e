// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.BlockCache;
import io.nvcache.lucene.LuceneCache;
import io.nvcache.lucene.NvCacheFSDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.store.FsDirectoryFactory;
import org.opensearch.plugins.IndexStorePlugin;
import org.opensearch.plugins.Plugin;

/** Adds the store type {@code nvcache}: the shards of a node are read through one cache. */
public final class NvCachePlugin extends Plugin implements IndexStorePlugin {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final Setting<ByteSizeValue> SIZE =
      Setting.memorySizeSetting("node.nvcache.size", "64mb", Setting.Property.NodeScope);

  private final LuceneCache cache;

  /** Builds the cache of the node; OpenSearch calls this once. */
  public NvCachePlugin(Settings settings) {
    BlockCache blocks =
        BlockCache.builder()
            .nativeMemory(SIZE.get(settings).getBytes())
            .maxBlockBytes(BLOCK_BYTES)
            .expectedBlockBytes(BLOCK_BYTES)
            .build();
    cache = LuceneCache.builder(blocks).build();
  }

  /** Returns the cache of the node. */
  public LuceneCache cache() {
    return cache;
  }

  @Override
  public List<Setting<?>> getSettings() {
    return List.of(SIZE);
  }

  @Override
  public Map<String, DirectoryFactory> getDirectoryFactories() {
    return Map.of("nvcache", new Factory());
  }

  private final class Factory extends FsDirectoryFactory {
    @Override
    public Directory newFSDirectory(Path folder, LockFactory locks, IndexSettings index)
        throws IOException {
      return new NvCacheFSDirectory(folder, locks, cache);
    }
  }

  @Override
  public void close() {
    cache.close();
  }
}
