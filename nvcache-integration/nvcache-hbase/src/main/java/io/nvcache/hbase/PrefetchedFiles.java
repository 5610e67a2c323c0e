// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The store files of which a prefetch brought all blocks, as long as these are cached: reopening
 * their region need not read them once more. Thread-safe.
 */
final class PrefetchedFiles {
  private record Whole(String region, int blocks, long bytes) {}

  private final ConcurrentMap<String, Whole> files = new ConcurrentHashMap<>();
  private final ToLongFunction<String> cachedBlocks;

  /**
   * Begins with no file.
   *
   * @param cachedBlocks returns how many blocks of a file, given by name, are cached now
   */
  PrefetchedFiles(ToLongFunction<String> cachedBlocks) {
    this.cachedBlocks = cachedBlocks;
  }

  /** Adds a file all of whose blocks, so many, were cached a moment ago. */
  void add(String hfileName, String region, int blocks, long bytes) {
    files.put(hfileName, new Whole(region, blocks, bytes));
  }

  /** Returns whether all blocks of the file are cached still. A file that lost one is forgotten. */
  boolean isWhole(String hfileName) {
    return stillWhole(hfileName) != null;
  }

  private @Nullable Whole stillWhole(String hfileName) {
    return files.computeIfPresent(
        hfileName, (name, file) -> cachedBlocks.applyAsLong(name) < file.blocks() ? null : file);
  }

  /** Returns region and bytes of each whole file, by name. */
  Map<String, Pair<String, Long>> whole() {
    Map<String, Pair<String, Long>> whole = new HashMap<>();
    for (String name : files.keySet()) {
      Whole file = stillWhole(name);
      if (file != null) {
        whole.put(name, new Pair<>(file.region(), file.bytes()));
      }
    }
    return whole;
  }

  /** Forgets a file whose blocks were evicted together. */
  void remove(String hfileName) {
    files.remove(hfileName);
  }
}
