// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The entry for code that is woven into Cassandra's compactions. A compaction reads its inputs and
 * writes its outputs on the thread that carries it out, whatever the strategy; other threads pay
 * for one counter that is 0, or for a look at their own field.
 */
public final class Compactions {
  private static final ThreadLocal<@Nullable CompactionWork> CURRENT = new ThreadLocal<>();
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();

  private static volatile @Nullable CompactionHook hook;

  private Compactions() {}

  /** Sets the listener of all later compactions and queries. */
  public static void tell(CompactionHook listener) {
    hook = listener;
  }

  /** Returns what hears of the calling thread's compaction; null if there is none. */
  public static @Nullable CompactionWork current() {
    return UNDER_WAY.get() == 0 ? null : CURRENT.get();
  }

  /**
   * Begins a compaction; called as the first thing by {@code CompactionTask.runMayThrow}. One
   * inside another is a part of that.
   *
   * @return what {@link #end} is to end; null if nothing begins
   */
  public static @Nullable CompactionWork begin() {
    CompactionHook listener = hook;
    CompactionWork work = listener == null || current() != null ? null : listener.begin();
    if (work != null) {
      UNDER_WAY.incrementAndGet();
      CURRENT.set(work);
    }
    return work;
  }

  /**
   * Ends what {@link #begin} began; called as the last thing by {@code CompactionTask.runMayThrow},
   * also when it throws.
   */
  public static void end(@Nullable CompactionWork work, boolean committed) {
    if (work != null) {
      CURRENT.remove();
      UNDER_WAY.decrementAndGet();
      work.over(committed);
    }
  }

  /** Notes that a chunk of a compressed file is looked for, to be read next. */
  public static void reads(@Nullable CachedFile file, long offset) {
    CompactionWork work = file == null ? null : current();
    if (file != null && work != null) {
      work.reads(file, offset);
    }
  }

  /** Notes that a query looks a partition up in memtables and SSTables. */
  public static void queried(int table, ByteBuffer key) {
    CompactionHook listener = hook;
    if (listener != null) {
      listener.queried(table, key);
    }
  }
}
