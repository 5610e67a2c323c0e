// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.BlockCache;
import io.nvcache.background.DaemonThread;
import io.nvcache.control.BlockWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Forgets parts of files, which takes a walk over the whole index: at once where that is short, and
 * otherwise in the background, one walk for all parts that have come together, because HBase asks
 * for it while a region is closed and its clients wait.
 *
 * <p>Nothing goes wrong until then: HBase's files don't change, so blocks that are dropped late are
 * right, and only take room. Thread-safe.
 */
public final class RangeEvictions implements AutoCloseable {
  /** Blocks that take about a millisecond. */
  public static final long MOST_BLOCKS_AT_ONCE = 1 << 16;

  private record Range(long fileId, long fromOffset, long toOffset) {
    boolean holds(BlockWalk walk) {
      return walk.fileId() == fileId && walk.offset() >= fromOffset && walk.offset() <= toOffset;
    }
  }

  private final BlockCache cache;
  private final long mostBlocksAtOnce;
  private final Queue<Range> waiting = new ConcurrentLinkedQueue<>();
  private final ThreadPoolExecutor walker =
      new ThreadPoolExecutor(
          1,
          1,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          DaemonThread.named("nvcache-range-evictions"));

  public RangeEvictions(BlockCache cache, long mostBlocksAtOnce) {
    this.cache = cache;
    this.mostBlocksAtOnce = mostBlocksAtOnce;
    walker.allowCoreThreadTimeOut(true);
    walker.setRejectedExecutionHandler((walk, executor) -> {}); // Closed: nothing is left to do.
  }

  /**
   * Forgets the blocks of a file between two offsets, both included.
   *
   * @return how many were forgotten so far
   */
  public int evict(long fileId, long fromOffset, long toOffset) {
    if (cache.control().countBlocks(fileId) == 0) {
      return 0;
    }
    Range range = new Range(fileId, fromOffset, toOffset);
    if (cache.stats().blocks() <= mostBlocksAtOnce) {
      return walk(List.of(range));
    }
    waiting.add(range);
    walker.execute(this::walkAll);
    return 0;
  }

  private void walkAll() {
    List<Range> ranges = new ArrayList<>();
    for (Range range = waiting.poll(); range != null; range = waiting.poll()) {
      ranges.add(range);
    }
    if (!ranges.isEmpty()) {
      walk(ranges);
    }
  }

  private int walk(List<Range> ranges) {
    int evicted = 0;
    for (BlockWalk walk = cache.control().walk(); walk.next(); ) {
      for (Range range : ranges) {
        if (range.holds(walk) && cache.invalidate(walk.fileId(), walk.offset())) {
          evicted++;
        }
      }
    }
    return evicted;
  }

  @Override
  public void close() {
    walker.shutdownNow();
  }
}
