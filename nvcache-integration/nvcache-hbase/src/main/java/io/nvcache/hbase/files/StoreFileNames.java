// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.control.CacheControl;
import io.nvcache.control.RestoreReport.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.jspecify.annotations.Nullable;

/**
 * The ids under which the engine knows HFiles, by name. A link has the id of the file that it leads
 * to.
 *
 * <p>HBase looks names up that it forgot to close or closed long ago, so that a name alone is no
 * reason to keep an id: when the names have doubled since the last time, those without a cached
 * block are dropped, except for the files that are served, whose lookups admission knows by their
 * ids, and for what a compaction writes ({@link #hold}). The heap thus holds a bounded number of
 * bytes for a <em>file</em> that is served or has cached blocks, and none for a block. An id that
 * was dropped is never used again; a thread that offered a block under it at that moment takes the
 * block back ({@link #isCurrent}). Thread-safe.
 */
public final class StoreFileNames {
  public static final int MIN_NAMES_BEFORE_PURGE = 1024;

  private final BlockCache cache;
  private final FileIdRegistry ids;
  private final Predicate<String> isServed;
  private final AtomicBoolean purging = new AtomicBoolean();
  private volatile int purgeAt = MIN_NAMES_BEFORE_PURGE;

  /** Ids by holder; guarded by this object, so that no id is held and dropped at once. */
  private final Map<Object, Set<Long>> held = new WeakHashMap<>();

  /**
   * Begins with the names of a registry.
   *
   * @param isServed returns whether a file is served now, by name
   */
  public StoreFileNames(BlockCache cache, FileIdRegistry ids, Predicate<String> isServed) {
    this.cache = cache;
    this.ids = ids;
    this.isServed = isServed;
  }

  /** Returns whether a region serves a file now. */
  public boolean isServed(String hfileName) {
    return isServed.test(fileOf(hfileName));
  }

  public long idOf(String hfileName) {
    return ids.idOf(fileOf(hfileName));
  }

  /**
   * Returns the id of a file, which is not dropped for want of cached blocks until {@link
   * #release}, or until the holder is collected: the blocks of what is being written are cached
   * later.
   *
   * @param holder equals nothing but itself; held weakly
   */
  public synchronized long hold(String hfileName, Object holder) {
    long fileId = idOf(hfileName);
    held.computeIfAbsent(holder, unknown -> new HashSet<>()).add(fileId);
    return fileId;
  }

  /** Ends what somebody holds. */
  public synchronized void release(Object holder) {
    held.remove(holder);
  }

  /** Returns the id by which a block is to be looked up. */
  public long lookupId(BlockCacheKey key) {
    return lookupId(idOf(key.getHfileName()), key);
  }

  /**
   * Returns the id by which a block is to be looked up: its file's; or, of a half of a split file,
   * the parent file's, if only that has the block. HBase asks by the name of the half, in which a
   * block has the same place.
   *
   * @param fileId of the key's name
   */
  public long lookupId(long fileId, BlockCacheKey key) {
    String parent = parentOf(key.getHfileName());
    OptionalLong parentId = parent == null ? OptionalLong.empty() : ids.find(parent);
    CacheControl control = cache.control();
    return parentId.isPresent()
            && !control.isCached(fileId, key.getOffset())
            && control.isCached(parentId.getAsLong(), key.getOffset())
        ? parentId.getAsLong()
        : fileId;
  }

  /** Returns the name of the file of which a file is a half, after a split; null if it is none. */
  public static @Nullable String parentOf(String hfileName) {
    return hfileName.indexOf('.') > 0
            && fileOf(hfileName).equals(hfileName)
            && StoreFileInfo.isReference(hfileName)
        ? fileOf(StoreFileInfo.getReferredToRegionAndFile(hfileName).getSecond())
        : null;
  }

  /**
   * Returns the name of the file that a link leads to, and any other file's as it is. Clones,
   * restored snapshots and splits between two rows link to files; HBase caches their blocks by the
   * file's name, and evicts them by the link's.
   */
  public static String fileOf(String hfileName) {
    return hfileName.indexOf('=') > 0 && HFileLink.isHFileLink(hfileName)
        ? HFileLink.getReferencedHFileName(hfileName)
        : hfileName;
  }

  public boolean isCurrent(String hfileName, long fileId) {
    return ids.isCurrent(fileOf(hfileName), fileId);
  }

  public OptionalLong find(String hfileName) {
    return ids.find(fileOf(hfileName));
  }

  /**
   * Returns the id of a file that may have cached blocks: where a former server's come back, this
   * is any file, which then gets an id by which they are found.
   */
  public OptionalLong findCached(String hfileName) {
    return restores() ? OptionalLong.of(idOf(hfileName)) : find(hfileName);
  }

  /** Returns whether blocks of a former server are found again, now or after the next start. */
  public boolean restores() {
    return cache.control().restore().state() != State.OFF;
  }

  public OptionalLong retire(String hfileName) {
    return ids.retire(fileOf(hfileName));
  }

  /** Ends the use of an id, if the name has it still. */
  public void retire(String hfileName, long fileId) {
    ids.retire(fileOf(hfileName), fileId);
  }

  /** The names by id, as of now. */
  public Map<Long, String> byId() {
    Map<Long, String> names = new HashMap<>();
    ids.forEach((name, id) -> names.put(id, name));
    return names;
  }

  public int size() {
    return ids.size();
  }

  /** To be called now and then; costs nothing most of the time, nor while another thread purges. */
  public void purgeIfGrown() {
    // While blocks are restored, a file without any may have some soon.
    if (ids.size() > purgeAt
        && cache.control().restore().state() != State.RESTORING
        && purging.compareAndSet(false, true)) {
      try {
        purge();
      } finally {
        purging.set(false);
      }
    }
  }

  private synchronized void purge() {
    if (ids.size() <= purgeAt) {
      return; // Another thread was faster.
    }
    Set<Long> kept = new HashSet<>();
    held.values().forEach(kept::addAll);
    List<Map.Entry<String, Long>> idle = new ArrayList<>();
    ids.forEach(
        (name, id) -> {
          if (!kept.contains(id) && !isServed.test(name) && cache.control().countBlocks(id) == 0) {
            idle.add(Map.entry(name, id));
          }
        });
    for (Map.Entry<String, Long> file : idle) {
      if (ids.retire(file.getKey(), file.getValue())) {
        cache.invalidateFile(file.getValue()); // What came in between.
      }
    }
    purgeAt = Math.max(MIN_NAMES_BEFORE_PURGE, 2 * ids.size());
  }
}
