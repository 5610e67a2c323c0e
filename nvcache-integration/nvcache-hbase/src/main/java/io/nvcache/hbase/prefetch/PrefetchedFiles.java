// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The store files of which a prefetch brought all blocks, as long as these are cached: reopening
 * their region need not read them once more. Those of a former server are among them, once their
 * blocks are restored. HBase asks of no file that it has compacted or moved away, so those that are
 * whole no longer are looked for each time that the files have doubled. Thread-safe.
 */
final class PrefetchedFiles {
  private static final int MIN_FILES_BEFORE_PURGE = 1000;

  private final ConcurrentMap<String, WholeFileLog.Entry> files = new ConcurrentHashMap<>();
  private final ToLongFunction<String> cachedBlocks;
  private final BooleanSupplier isRestoring;
  private final WholeFileLog log;
  private volatile int purgeAt = MIN_FILES_BEFORE_PURGE;

  /**
   * Begins with the files of the log.
   *
   * @param cachedBlocks returns how many blocks of a file, given by name, are cached now
   * @param isRestoring returns whether blocks of a former server may come back yet
   */
  PrefetchedFiles(
      ToLongFunction<String> cachedBlocks, BooleanSupplier isRestoring, WholeFileLog log) {
    this.cachedBlocks = cachedBlocks;
    this.isRestoring = isRestoring;
    this.log = log;
    log.read().forEach(entry -> files.put(entry.hfileName(), entry));
  }

  /** Adds a file all of whose blocks, so many, were cached a moment ago. */
  void add(String hfileName, String region, int blocks, long bytes) {
    WholeFileLog.Entry entry = new WholeFileLog.Entry(hfileName, region, blocks, bytes);
    files.put(hfileName, entry);
    purgeIfGrown();
    log.add(entry, files.values());
  }

  private void purgeIfGrown() {
    // While blocks are restored, a file that lacks some may have all soon.
    if (files.size() > purgeAt && !isRestoring.getAsBoolean()) {
      files.keySet().forEach(this::stillWhole);
      purgeAt = Math.max(MIN_FILES_BEFORE_PURGE, 2 * files.size());
    }
  }

  /** Returns whether all blocks of the file are cached still. A file that lost one is forgotten. */
  boolean isWhole(String hfileName) {
    return stillWhole(hfileName) != null;
  }

  private WholeFileLog.@Nullable Entry stillWhole(String hfileName) {
    WholeFileLog.Entry file = files.get(hfileName);
    // Asked before the blocks are counted: what is restored in between is counted.
    boolean restoring = isRestoring.getAsBoolean();
    if (file == null || cachedBlocks.applyAsLong(hfileName) >= file.blocks()) {
      return file;
    }
    if (!restoring) {
      files.remove(hfileName, file);
    }
    return null;
  }

  /** Returns region and bytes of each whole file, by name. */
  Map<String, Pair<String, Long>> whole() {
    Map<String, Pair<String, Long>> whole = new HashMap<>();
    for (String name : files.keySet()) {
      WholeFileLog.Entry file = stillWhole(name);
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
