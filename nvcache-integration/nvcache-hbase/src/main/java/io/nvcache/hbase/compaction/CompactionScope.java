// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.jspecify.annotations.Nullable;

/**
 * One compaction, on the thread that carries it out: HBase reads the inputs and writes the outputs
 * of a compaction on one thread, and says where it begins and ends only to observers. {@link
 * NvCacheRegionObserver} opens a scope before the inputs are opened, and ends it with the last
 * output.
 *
 * <p>A compaction that fails ends without a word. Where rows are counted, the scanner of its rows
 * is closed early if it fails before the last of them. One that fails later, as it closes or checks
 * what it has written, is noticed when its request is collected, or when its thread begins the next
 * one. Nothing of it has been cached. A commit that fails is noticed by {@link AwaitedCommits}.
 *
 * <p>For one thread, except for {@link #fail}.
 */
public final class CompactionScope {
  private static final ThreadLocal<@Nullable WeakReference<CompactionScope>> CURRENT =
      new ThreadLocal<>();

  private final RunningCompactions running;
  private final Rewrite rewrite;
  private final CarriedBlocks outputs;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean hasWritten;

  /** The outputs that blocks were written to and that are not committed yet. */
  private final Set<String> uncommitted = new HashSet<>();

  /** The output of these that was begun last. */
  private String newest = "";

  private boolean byTurns;

  /**
   * Whether a block of the inputs was cached: only then is there room for blocks of the outputs.
   */
  private boolean hasFound;

  /** The row that is written now. */
  private long row;

  private double lookupsOfRow;

  /** Whether cells of the row are in the block that is written now, as far as can be told. */
  private boolean rowHasBegun;

  /** Lookups of the rows before it that are in the block that is written now. */
  private double lookupsBefore;

  private CompactionScope(RunningCompactions running, CarriedBlocks outputs) {
    this.running = running;
    this.rewrite = running.cache().rewrite();
    this.outputs = outputs;
  }

  /**
   * Begins a compaction on the calling thread. One that the thread left open has failed.
   *
   * @param running keeps the scope
   * @param owner referred to by HBase until the commit, and no longer if that fails
   * @param outputs gets to know the files that the compaction commits
   */
  static void begin(RunningCompactions running, Object owner, CarriedBlocks outputs) {
    abandon();
    CompactionScope scope = new CompactionScope(running, outputs);
    running.add(owner, scope);
    CURRENT.set(new WeakReference<>(scope));
  }

  /** Returns the compaction of the calling thread on this cache; null if there is none. */
  public static @Nullable CompactionScope current(BlockCache cache) {
    CompactionScope scope = current();
    return scope == null || scope.running.cache() != cache ? null : scope;
  }

  private static @Nullable CompactionScope current() {
    WeakReference<CompactionScope> reference = CURRENT.get();
    CompactionScope scope = reference == null ? null : reference.get();
    return scope == null || scope.ended.get() ? null : scope;
  }

  /** Ends what the calling thread has begun: it has failed. */
  static void abandon() {
    CompactionScope scope = current();
    if (scope != null) {
      scope.fail();
    }
    leave();
  }

  /** Ends the compaction, which has failed, unless it has ended before. By any thread. */
  void fail() {
    if (end()) {
      drop(HeatDrop.COMPACTION_FAILED);
    }
  }

  private boolean end() {
    running.remove(this);
    return ended.compareAndSet(false, true);
  }

  /** Lets the blocks go that are held, and counts the compaction if it had written any. */
  void drop(HeatDrop reason) {
    outputs.drop();
    if (hasWritten) {
      running.drops().count(reason);
    }
  }

  /** Forgets what the calling thread has begun. */
  private static void leave() {
    CURRENT.remove();
  }

  /** Returns what the compaction reports its blocks to. */
  Rewrite rewrite() {
    return rewrite;
  }

  /** Returns the files that the compaction has committed. */
  CarriedBlocks outputs() {
    return outputs;
  }

  /**
   * Notes that cells of a row are written next. HBase finds that a block is full when it has got
   * the next cell, and says nothing between the cells that it got at once. So where these are
   * several, the row is taken to have begun in the block that they fill: only the first of them may
   * be the one that had no room in it.
   *
   * @param key of the row
   * @param recentLookups of it
   * @param cells how many, ≥ 1
   */
  void writes(long key, int recentLookups, int cells) {
    boolean goesOn = key == row;
    if (!goesOn) {
      lookupsBefore += lookupsOfRow;
      row = key;
      lookupsOfRow = recentLookups;
    }
    rowHasBegun = goesOn || cells > 1;
  }

  /** Reads a block of an input; null if it is not cached. */
  @Nullable PinnedBlock read(long fileId, long offset) {
    PinnedBlock found = rewrite.read(fileId, offset);
    hasFound |= found != null;
    return found;
  }

  /**
   * Notes a block that is written to an output. A row that ends in another block than it began in
   * counts in each of them: a get reads them all. Of a compaction that writes several outputs by
   * turns, as date-tiered ones do, it is not known to which of them a row goes: there the heat of
   * the inputs is spread. Stripes are written one after the other.
   *
   * @param lengthBytes of what would be cached
   * @param onDiskBytes of the block in the file
   * @return the heat of the block, by which it is worth holding; 0 as long as no block of the
   *     inputs was found cached. Blocks that are written before are still carried by their heat,
   *     and are read back for it
   */
  double wrote(String hfileName, long fileId, long offset, int lengthBytes, int onDiskBytes) {
    hasWritten = true;
    if (uncommitted.add(hfileName)) {
      newest = hfileName;
    } else if (!hfileName.equals(newest)) {
      byTurns = true;
    }
    double lookups = lookupsBefore + (rowHasBegun ? lookupsOfRow : 0);
    double heat = rewrite.wrote(fileId, offset, lengthBytes, byTurns ? 0 : lookups);
    outputs.wrote(fileId, offset, onDiskBytes);
    lookupsBefore = 0;
    rowHasBegun = true; // Should the same cells fill another block.
    return hasFound ? heat : 0;
  }

  /**
   * Notes that an output is a store file now, and ends the compaction with the last one.
   *
   * @param output null if the compaction has none, because its inputs had no live cell
   * @return whether it was the last one
   */
  boolean committed(@Nullable StoreFile output) {
    if (output instanceof HStoreFile file) {
      outputs.add(file);
      uncommitted.remove(file.getPath().getName());
    }
    if (!uncommitted.isEmpty()) {
      return false;
    }
    leave();
    return end();
  }
}
