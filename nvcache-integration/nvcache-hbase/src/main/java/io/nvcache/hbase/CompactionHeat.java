// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.Rewrite;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Carries the heat of compactions after their commit, on one thread: one block is read at a time,
 * however many regions are compacted. Of compactions that wait for it, the oldest are dropped:
 * their hot blocks have been read by others since. Thread-safe.
 */
final class CompactionHeat implements AutoCloseable {
  private static final int MOST_WAITING = 16;
  private static final int IDLE_SECONDS = 10;

  private final BlockCache cache;
  private final ThreadPoolExecutor thread;

  CompactionHeat(BlockCache cache) {
    this.cache = cache;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            CompactionHeat::thread,
            new ThreadPoolExecutor.DiscardOldestPolicy());
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "nvcache-compaction-heat");
    thread.setDaemon(true);
    return thread;
  }

  /** Has the hot outputs of a compaction cached, whose inputs are invalidated. */
  void carry(Rewrite rewrite, CarriedBlocks outputs) {
    thread.execute(
        () -> {
          try {
            rewrite.carry(outputs);
          } finally {
            outputs.gone().forEach(cache::invalidateFile);
          }
        });
  }

  /** Lets a block that is being read end: an interrupt could close the file for all who read it. */
  @Override
  public void close() {
    thread.shutdown();
    thread.getQueue().clear();
  }
}
