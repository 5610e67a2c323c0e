// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.store.remote.filecache.FileCache;

/**
 * What OpenSearch's file cache claims of a shard's folder. When a dedicated warm node starts, that
 * cache takes all files there for its own, and deletes them by their paths to make room: also one
 * that the shard has made since. So an entry is held until it is dropped. Thread-safe.
 */
final class FileCacheClaims {
  private final @Nullable FileCache cache;
  private final Path folder;
  private final Set<Path> held = ConcurrentHashMap.newKeySet();

  /**
   * Begins without any.
   *
   * @param cache null where the node has none
   */
  FileCacheClaims(@Nullable FileCache cache, Path folder) {
    this.cache = cache;
    this.folder = folder.toAbsolutePath();
  }

  /** Has the file cache keep a file. */
  void hold(String name) {
    Path file = folder.resolve(name);
    if (cache != null && cache.get(file) != null) {
      held.add(file);
    }
  }

  /** Has the file cache forget a file that was held, which it deletes if it is there. */
  void drop(String name) {
    Path file = folder.resolve(name);
    if (cache != null && held.remove(file)) {
      cache.remove(file);
    }
  }

  /** Hands what is held over to the file cache. */
  void close() {
    if (cache != null) {
      held.forEach(cache::decRef);
      held.clear();
    }
  }
}
