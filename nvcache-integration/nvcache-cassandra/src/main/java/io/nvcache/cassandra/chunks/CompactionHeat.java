// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.BlockCache;
import io.nvcache.cassandra.agent.CompactionHook;
import io.nvcache.cassandra.agent.CompactionWork;
import io.nvcache.cassandra.settings.TableFilter;
import io.nvcache.cassandra.tier.Tier;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows which partitions are queried and where compactions move them, and has the hot chunks of
 * their outputs cached after the commit: one chunk at a time, however many tables are compacted.
 * Thread-safe.
 */
public final class CompactionHeat implements CompactionHook, AutoCloseable {
  /** Ten seconds: a query or a repair may keep an input open; then others have to make room. */
  private static final int MOST_POLLS = 500;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Tier tier;
  private final TableFilter tables;
  private final IntConsumer pace;
  private final Executor carrying;
  private final Runnable pause;
  private volatile boolean on;

  /** Whether {@link #turn} was called, which an operator may do before there is a cache. */
  private boolean turned;

  private volatile @Nullable HotPartitions partitions;

  /**
   * Is off, and follows nothing.
   *
   * @param pace called with the number of bytes before they are read
   * @param carrying reads hot chunks back
   */
  public CompactionHeat(Tier tier, TableFilter tables, IntConsumer pace, Executor carrying) {
    this(tier, tables, pace, carrying, () -> LockSupport.parkNanos(POLL_NANOS));
  }

  /**
   * The same.
   *
   * @param pause comes before it is looked once more whether the inputs are closed, which Cassandra
   *     does in the background
   */
  public CompactionHeat(
      Tier tier, TableFilter tables, IntConsumer pace, Executor carrying, Runnable pause) {
    this.pause = pause;
    this.tier = tier;
    this.tables = tables;
    this.pace = pace;
    this.carrying = carrying;
  }

  public boolean isOn() {
    return on;
  }

  /** Begins to follow heat, or forgets what was followed; what is being read back ends. */
  public synchronized void turn(boolean nowOn) {
    turned = true;
    on = nowOn;
    partitions = null;
    prepare();
  }

  /** Begins to follow heat now that the cache is there, unless it was turned off before. */
  public synchronized void turnOnUnlessTurned() {
    if (turned) {
      prepare();
    } else {
      turn(true);
    }
  }

  /** Counts partitions from now on, if heat is to be followed and the cache is there. */
  synchronized void prepare() {
    BlockCache cache = tier.cache();
    if (on && cache != null && partitions == null) {
      partitions = new HotPartitions(cache.stats().capacityBytes());
    }
  }

  /** Returns whether chunks of a data file may be cached. */
  boolean isCached(String path) {
    return tables.matches(path);
  }

  @Override
  public void queried(int table, ByteBuffer key) {
    HotPartitions counting = partitions;
    if (counting == null) {
      return;
    }
    try {
      counting.queried(table, key);
    } catch (RuntimeException | Error e) {
      partitions = null; // A query is not to fail for it, nor the next one.
      tier.failed(e);
    }
  }

  /** Returns how often a partition was queried lately, as far as that is known. */
  int recentLookups(int table, ByteBuffer key) {
    HotPartitions counted = partitions;
    return counted == null ? 0 : counted.recentLookups(table, key);
  }

  @Override
  public @Nullable CompactionWork begin() {
    try {
      BlockCache cache = tier.serving();
      return on && cache != null ? new HotCompaction(this, tier, cache) : null;
    } catch (RuntimeException | Error e) {
      tier.failed(e);
      return null;
    }
  }

  /** Has the hot outputs of a compaction cached, which have replaced its inputs. */
  void carry(HotCompaction compaction) {
    carrying.execute(() -> carryNow(compaction));
  }

  private void carryNow(HotCompaction compaction) {
    try {
      awaitRoom(compaction);
      compaction.rewrite().carry(new CarriedChunks(compaction.outputs(), tier, this::goesOn, pace));
    } catch (RuntimeException | Error e) {
      tier.failed(e);
    } finally {
      forgetTheDead(compaction);
    }
  }

  private boolean goesOn() {
    return on && tier.serving() != null;
  }

  /** Waits until the blocks of the inputs make room. */
  private void awaitRoom(HotCompaction compaction) {
    for (int poll = 0; poll < MOST_POLLS && goesOn(); poll++) {
      if (compaction.inputs().stream().allMatch(tier::isForgotten)) {
        return;
      }
      pause.run();
    }
  }

  /** A chunk may have been offered right after its file was forgotten. */
  private void forgetTheDead(HotCompaction compaction) {
    BlockCache cache = tier.cache();
    for (HotOutput output : compaction.outputs()) {
      if (cache != null && !tier.incarnations().isLive(output.fileKey(), output.id())) {
        cache.invalidateFile(output.id());
      }
    }
  }

  /** Follows nothing any more; a chunk that is being read is the last one. */
  @Override
  public synchronized void close() {
    on = false;
    partitions = null;
  }
}
