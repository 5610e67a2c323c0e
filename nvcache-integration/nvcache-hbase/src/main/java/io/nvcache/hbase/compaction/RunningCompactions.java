// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.BlockCache;
import io.nvcache.host.ReasonCounts;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The compactions on one cache that have begun and have not ended. HBase says nothing of one that
 * fails as it closes, checks or commits what it has written, so each is kept for as long as HBase
 * refers to its request, which it drops with a compaction that failed. Thread-safe.
 */
final class RunningCompactions {
  private final BlockCache cache;
  private final ReasonCounts<HeatDrop> drops;
  private final Set<Owned> owned = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Keeps a scope, which its thread refers to weakly. */
  private static final class Owned extends WeakReference<Object> {
    final CompactionScope scope;

    Owned(Object owner, ReferenceQueue<Object> collected, CompactionScope scope) {
      super(owner, collected);
      this.scope = scope;
    }
  }

  /**
   * Begins without any.
   *
   * @param drops counts those that fail
   */
  RunningCompactions(BlockCache cache, ReasonCounts<HeatDrop> drops) {
    this.cache = cache;
    this.drops = drops;
  }

  /** Returns the cache that these are on. */
  BlockCache cache() {
    return cache;
  }

  /** Returns what counts those that fail. */
  ReasonCounts<HeatDrop> drops() {
    return drops;
  }

  /** Keeps a scope until it ends, or until its owner is collected. */
  void add(Object owner, CompactionScope scope) {
    owned.add(new Owned(owner, collected, scope));
  }

  /** Forgets a scope that has ended. */
  void remove(CompactionScope scope) {
    owned.removeIf(each -> each.scope == scope);
  }

  /** Ends those that have failed since. To be called now and then; costs nothing if none has. */
  void endTheLost() {
    Reference<?> lost = collected.poll();
    while (lost != null) {
      if (lost instanceof Owned failed) {
        failed.scope.fail();
        owned.remove(failed);
      }
      lost = collected.poll();
    }
  }

  /** Returns how many there are. */
  int size() {
    return owned.size();
  }
}
