// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import io.nvcache.BlockCache;
import io.nvcache.BlockRank;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.RestoreReport;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.files.RegionShares;
import io.nvcache.hbase.files.StoreFileNames;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;
import org.apache.hadoop.hbase.util.Pair;

/**
 * What HBase's prefetches of store files ask, and what they bring. A prefetch asks for each block
 * of a file in turn, reads from the store what is not cached, and offers that. What it asks is no
 * lookup: it marks no block as used and takes no part in the write budget. Thread-safe; each
 * prefetch has its own thread.
 *
 * <p>HBase 2.6 takes the length of a block that it read for the length of the block after a cached
 * one, and then ends the prefetch. So only the blocks before the first that is not cached are
 * reported as cached; the later ones are read from the store again.
 */
public final class Prefetches {
  /** The first release whose reader keeps its place has one more method here. */
  public static final boolean KEEPS_ITS_PLACE =
      Arrays.stream(org.apache.hadoop.hbase.io.hfile.BlockCache.class.getMethods())
          .anyMatch(
              method -> method.getName().equals("getBlock") && method.getParameterCount() == 5);

  /** Five seconds: a busy medium catches up before that, and no reader waits for a prefetch. */
  private static final int MOST_RETRIES = 1000;

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final BlockCache cache;
  private final StoreFileNames names;
  private final PrefetchGate gate = new PrefetchGate(System::nanoTime);
  private final PrefetchedFiles files;

  /**
   * Begins with no prefetch.
   *
   * @param log of the files that were prefetched whole
   */
  public Prefetches(BlockCache cache, StoreFileNames names, WholeFileLog log) {
    this.cache = cache;
    this.names = names;
    this.files = new PrefetchedFiles(this::namedBlocks, this::isRestoring, log);
  }

  /** Returns how many blocks of a file are cached, a former server's among them. */
  private long namedBlocks(String hfileName) {
    return cache.control().countBlocks(names.idOf(hfileName));
  }

  private boolean isRestoring() {
    return cache.control().restore().state() == RestoreReport.State.RESTORING;
  }

  /** Returns whether what the calling thread reads and offers now is prefetched. */
  public static boolean isCurrent() {
    return ThreadSource.current() == Source.PREFETCH;
  }

  /** Returns whether a prefetch of a file should begin: not where all its blocks are cached. */
  public boolean shouldBegin(String hfileName) {
    return !files.isWhole(hfileName) && gate.isOpen();
  }

  /** Returns whether a prefetch may leave a block out, because it is cached. */
  public boolean isCached(BlockCacheKey key) {
    if (!isCurrent()) {
      return onDiskBytes(key) > 0;
    }
    return gate.mayLeaveOut(key.getHfileName(), key.getOffset(), KEEPS_ITS_PLACE)
        && gate.leftOut(key.getHfileName(), key.getOffset(), onDiskBytes(key));
  }

  /** Returns the bytes that a cached block takes in its file; empty if it is not cached. */
  public Optional<Integer> onDiskSize(BlockCacheKey key) {
    int known = gate.leftOutBytes(key.getHfileName(), key.getOffset());
    int bytes = known > 0 ? known : onDiskBytes(key);
    return bytes > 0 ? Optional.of(bytes) : Optional.empty();
  }

  private int onDiskBytes(BlockCacheKey key) {
    ByteBuffer header = ByteBuffer.allocate(BlockPayload.HEADER_BYTES);
    int length = cache.control().peek(names.lookupId(key), key.getOffset(), header);
    return length == BlockCache.MISS ? 0 : BlockPayload.onDiskBytes(header.flip());
  }

  /**
   * Notes that the calling thread's prefetch found a block here that it asked for as readers do.
   */
  public void found(String hfileName) {
    gate.cached(hfileName);
  }

  /**
   * Offers a block that the calling thread's prefetch read. Waits a while for a busy medium, or
   * until the blocks of a former server are restored; but no longer once the prefetch has wasted so
   * much that it should have ended.
   */
  public OfferResult offer(
      String hfileName,
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<ByteBuffer> block,
      BlockRank rank) {
    OfferResult result = cache.offer(fileId, offset, lengthBytes, block, Source.PREFETCH, rank);
    int retries = gate.isOverdrawn(hfileName) ? 0 : MOST_RETRIES;
    for (int tries = 0;
        mayBeTakenLater(result) && tries < retries && !Thread.currentThread().isInterrupted();
        tries++) {
      LockSupport.parkNanos(RETRY_NANOS);
      result = cache.offer(fileId, offset, lengthBytes, block, Source.PREFETCH, rank);
    }
    if (result == OfferResult.ADMITTED || result == OfferResult.ALREADY_CACHED) {
      gate.cached(hfileName);
    } else if (result == OfferResult.TOO_LARGE) {
      gate.tooLong(hfileName);
    } else if (!isRestoring()) {
      gate.refused(hfileName);
    }
    return result;
  }

  /** While blocks are restored, it is not known yet how much room they leave. */
  private boolean mayBeTakenLater(OfferResult result) {
    return switch (result) {
      case MEDIUM_BUSY -> true;
      case NOT_WORTH_IT, BYPASSED_OVERHEAD -> isRestoring();
      default -> false;
    };
  }

  /**
   * Returns whether the calling thread's prefetch is to continue. One of a file that is cached
   * whole is not: HBase from 2.6.2 on no longer asks before it begins, and from the first block
   * that is not in this level, such as one of an index that lies in DRAM, all would be read from
   * the store.
   */
  public boolean goesOn() {
    String hfileName = gate.current();
    return gate.goesOn() && (hfileName == null || !files.isWhole(hfileName));
  }

  /**
   * Remembers a file that the calling thread's prefetch has gone through, if all is cached. Not a
   * half of a split file: its blocks may be its parent's, which go without it.
   *
   * <p>HBase says so of a prefetch that it has interrupted half-way as well. That is noted at each
   * block, as HBase clears the mark before it comes here: {@link PrefetchGate}. It does so when a
   * file is closed, and then the executor knows of no prefetch of it; and when the delay is changed
   * live, and then another prefetch of the file waits. The first to end makes the executor forget
   * both, so that the second may not be remembered; then the file is asked about again when it is
   * next opened.
   */
  public void completed(Path file, long sizeBytes) {
    String region = RegionShares.regionOf(file);
    int blocks = gate.completed(file.getName());
    if (region != null
        && blocks > 0
        && StoreFileNames.parentOf(file.getName()) == null
        && !files.isWhole(file.getName())
        && !PrefetchExecutor.isCompleted(file)) {
      files.add(file.getName(), region, blocks, sizeBytes);
    }
  }

  /** Forgets a file whose blocks were evicted together. */
  public void evicted(String hfileName) {
    files.remove(hfileName);
  }

  /**
   * Returns region and bytes of the files that were prefetched whole and still are cached whole.
   */
  public Map<String, Pair<String, Long>> wholeFiles() {
    return files.whole();
  }
}
