// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.hbase.files.StoreSwap;
import io.nvcache.hbase.site.NvCacheConfiguration;
import io.nvcache.host.ReasonCounts;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compactions whose files are read and written through one cache, from their begin to the
 * commit: what is read of the inputs and written to the outputs between the two is noted in a
 * {@link CompactionScope}, and the hot blocks of the outputs are cached around the commit, in two
 * parts. What is held on the heap is cached before readers can ask for it, and {@link
 * CompactionHeat} carries the rest once the inputs have made room. Thread-safe.
 */
public final class Compactions {
  private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

  /** On memory some thousand blocks are written in this time, and no commit waits for longer. */
  private static final long MOST_NANOS_AHEAD = TimeUnit.MILLISECONDS.toNanos(100);

  private final BlockCache cache;
  private final StoreFileNames names;
  private final BlockPayload payload;
  private final ReasonCounts<HeatDrop> drops = new ReasonCounts<>(HeatDrop.class);
  private final RunningCompactions running;
  private final CompactionHeat heat;
  private final AwaitedCommits awaitedCommits = new AwaitedCommits(AwaitedCommits.MOST_LOOKS);
  private final HotRows hotRows;
  private final LongSupplier nanoTime;
  private volatile CompactionOutputs outputs = CompactionOutputs.OFFER;

  /**
   * Begins without any.
   *
   * @param site the server's settings; null means the defaults
   * @param nanoTime the clock by which carrying ahead ends and reads of outputs are slow
   */
  public Compactions(
      BlockCache cache,
      StoreFileNames names,
      BlockPayload payload,
      @Nullable Configuration site,
      LongSupplier nanoTime) {
    this.cache = cache;
    this.names = names;
    this.payload = payload;
    this.running = new RunningCompactions(cache, drops);
    this.heat =
        new CompactionHeat(
            cache,
            NvCacheConfiguration.compactionHeatBytes(site),
            drops,
            this::areCarried,
            nanoTime);
    this.nanoTime = nanoTime;
    this.hotRows =
        new HotRows(
            cache, NvCacheConfiguration.expectedBlocks(site, cache.stats().capacityBytes()));
  }

  /**
   * Sets what becomes of the blocks that compactions write; may change at any time. With what is
   * not to be carried any more, the block that is being cached is the last one.
   */
  public void setOutputs(CompactionOutputs outputs) {
    this.outputs = outputs;
    hotRows.count(outputs);
    if (outputs != CompactionOutputs.CARRY) {
      heat.turnedOff();
    }
  }

  private boolean areCarried() {
    return outputs == CompactionOutputs.CARRY;
  }

  /** Returns the count of the rows that are read most. */
  public HotRows hotRows() {
    return hotRows;
  }

  /**
   * Begins a compaction: what the calling thread reads and writes now is of one, until it
   * {@linkplain #committed commits}, begins another one, or ends.
   */
  public void begin() {
    begin(Thread.currentThread());
  }

  /**
   * Begins a compaction on the calling thread; {@code NvCacheRegionObserver} calls this on a region
   * server.
   *
   * @param owner referred to until the commit, and no longer if the compaction fails; held weakly
   */
  public void begin(Object owner) {
    endTheLost();
    CompactionScope.begin(running, owner, new CarriedBlocks(names, payload, heat.memory()));
  }

  /** Ends the compactions that have failed since. Costs nothing if none has. */
  public void endTheLost() {
    running.endTheLost();
  }

  /** Reads an input, which does not count as a lookup: its blocks are about to go. */
  public @Nullable PinnedBlock read(long fileId, long offset) {
    CompactionScope scope = CompactionScope.current(cache);
    // Without a scope on a server without the observer.
    return scope == null ? cache.rewrite().read(fileId, offset) : scope.read(fileId, offset);
  }

  /**
   * Notes a block that the calling thread's compaction has written, where outputs are carried. Not
   * of a MOB file, which HBase commits without a word: the compaction would never end.
   *
   * @param lengthBytes of what would be cached
   * @return whether the block is to be offered like any other
   */
  public boolean offers(BlockCacheKey key, Cacheable block, int lengthBytes) {
    CompactionOutputs now = outputs;
    if (now == CompactionOutputs.CARRY) {
      CompactionScope scope = CompactionScope.current(cache);
      if (scope != null
          && block instanceof HFileBlock written
          && !StoreFileInfo.isMobFile(new Path(key.getHfileName()))) {
        long fileId = scope.outputs().idOf(key.getHfileName());
        long offset = key.getOffset();
        int onDiskBytes = written.getOnDiskSizeWithHeader();
        double heat = scope.wrote(key.getHfileName(), fileId, offset, lengthBytes, onDiskBytes);
        scope.outputs().hold(fileId, offset, heat, lengthBytes, written);
      }
    }
    return now == CompactionOutputs.OFFER;
  }

  /**
   * Notes that an output of the calling thread's compaction is a store file now, and served. With
   * the last one, the blocks of the inputs make room for the hot ones of the outputs. A scanner
   * that was opened before may ask for an input even then; its blocks get another id, until HBase
   * evicts the file.
   *
   * @param inputs the store files that were compacted
   * @param output a store file whose reader is open; null if the compaction has none
   */
  public void committed(Collection<? extends StoreFile> inputs, @Nullable StoreFile output) {
    committed(inputs, output, swap -> true);
  }

  /**
   * Notes the same of an output that is not served yet: HBase may still fail, and serve the inputs
   * on.
   *
   * @param isMade returns whether the store has made the exchange; asked by other threads as well,
   *     for a minute at most
   */
  public void committed(
      Collection<? extends StoreFile> inputs,
      @Nullable StoreFile output,
      Predicate<StoreSwap> isMade) {
    CompactionScope scope = CompactionScope.current(cache);
    if (scope == null || !scope.committed(output)) {
      return;
    }
    carryAhead(scope);
    StoreSwap swap = new StoreSwap(StoreSwap.namesOf(inputs), scope.outputs().fileNames());
    awaitedCommits.await(
        () -> isMade.test(swap), () -> carry(scope, swap.inputs()), () -> giveUp(scope));
  }

  /**
   * Caches what is held. The store continues with its commit once this returns, so nothing is read
   * for it, it takes no longer than a moment, and what fails in it does not fail the commit.
   */
  private void carryAhead(CompactionScope scope) {
    CarriedBlocks written = scope.outputs();
    long begin = nanoTime.getAsLong();
    try {
      scope
          .rewrite()
          .carryAhead(
              (fileId, offset, lengthBytes) ->
                  areCarried() && nanoTime.getAsLong() - begin < MOST_NANOS_AHEAD
                      ? written.held(fileId, offset, lengthBytes)
                      : null);
    } catch (RuntimeException | Error e) {
      LOG.warn("Could not cache hot blocks ahead of a commit", e);
    } finally {
      written.gone().forEach(cache::invalidateFile);
    }
  }

  /** Lets go what was cached of a compaction whose commit failed. */
  private void giveUp(CompactionScope scope) {
    scope.outputs().retire().forEach(cache::invalidateFile);
    scope.drop(HeatDrop.COMPACTION_FAILED);
  }

  private void carry(CompactionScope scope, Set<String> inputs) {
    if (!areCarried()) {
      scope.drop(HeatDrop.HEAT_TURNED_OFF);
      return;
    }
    for (String input : inputs) {
      // The daughters of a split know their parent's file by one name. When one has compacted it,
      // the other reads it on, and may yet carry its blocks, until HBase closes the first's reader
      // and evicts by that name, minutes later.
      if (!names.isServed(input)) {
        forget(input);
        String parent = StoreFileNames.parentOf(input);
        if (parent != null && !names.isServed(parent)) {
          forget(parent);
        }
      }
    }
    heat.carry(scope.rewrite(), scope.outputs());
  }

  private void forget(String hfileName) {
    names.retire(hfileName).ifPresent(cache::invalidateFile);
  }

  /**
   * Waits until the hot blocks of the compactions that have committed are cached, for those who
   * count what a compaction costs.
   */
  public void awaitCarried() throws InterruptedException {
    heat.await();
  }

  /** Returns how often the heat of a compaction was dropped, and why. */
  public ReasonCounts<HeatDrop> drops() {
    return drops;
  }

  /** Returns what waits for the commits of compactions. */
  AwaitedCommits awaitedCommits() {
    return awaitedCommits;
  }

  /** Returns the compactions that have not ended. */
  RunningCompactions running() {
    return running;
  }

  /** Carries nothing any more; commits that are awaited are given up. */
  public void close() {
    awaitedCommits.close();
    heat.close();
  }
}
