// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.BlockPlacement;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Rewrite;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.device.BytelessMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import io.nvcache.trace.Trace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a trace through a cache that is real except for its {@link CountingMedium}.
 *
 * <p>All on one thread, in virtual time: a second passes every so many lookups, and the background
 * work is done then. Nothing depends on the machine, so the same settings give the same result.
 */
final class Replay {
  private static final int WINDOWS = 100;
  private static final int MIN_BLOCK_BYTES = 4096;
  private static final int MAX_BLOCK_BYTES = 16 << 20;
  private static final long BLOCKS_TOGETHER = 8;
  private static final int MIN_EXPECTED_BYTES = 64;

  /** How many records pass between two words to the progress. */
  private static final int REPORT_RECORDS = 1 << 16;

  private static final long LOOKUPS_PER_FLUSH = 64;

  private final Trace trace;
  private final ReplaySettings settings;
  private final ByteBuffer block;
  private final List<ReplayResult.Window> windows = new ArrayList<>();
  private final long nanosPerLookup;
  private final FileNumbers files;
  private boolean carries;
  private @Nullable Rewrite rewrite;
  private long lookups;
  private long nextSecond;
  private long hitsBefore;
  private double writesBefore;
  private final Fetches fetches = new Fetches();
  private long fetchedBytesBefore;
  private long requestsBefore;

  /** Blocks that were looked up, and how many of them were written at their first lookup. */
  private final BitSet seen = new BitSet();

  private long writtenAtFirst;

  /**
   * Prepares a run.
   *
   * @param trace what got past the DRAM tier
   */
  Replay(Trace trace, ReplaySettings settings) {
    this.trace = trace;
    this.settings = settings;
    this.files = new FileNumbers(trace);
    this.block =
        ByteBuffer.allocate(
            Math.max(MIN_BLOCK_BYTES, Math.min(MAX_BLOCK_BYTES + 1, trace.largestSizeBytes())));
    this.nanosPerLookup = TimeUnit.SECONDS.toNanos(1) / settings.lookupsPerSecond();
    this.nextSecond = settings.lookupsPerSecond();
  }

  /** The least that the engine takes, which keeps at least eight blocks together. */
  static long leastCapacityBytes(int largestBlockBytes) {
    long largest = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, largestBlockBytes));
    return Long.highestOneBit(2 * BLOCKS_TOGETHER * largest - 1);
  }

  /** Runs. {@code progress} receives now and then how many records are done. */
  ReplayResult run(TracePolicy policy, LongConsumer progress) {
    carries = policy.carriesHeat();
    try (BlockCache cache = build(policy)) {
      for (int i = 0; i < trace.records(); i++) {
        replay(i, cache);
        if (i % REPORT_RECORDS == 0) {
          progress.accept(i);
        }
      }
      CacheStats end = cache.stats();
      return new ReplayResult(settings.removalWeight(), end, writtenAtFirst, windows);
    }
  }

  private BlockCache build(TracePolicy policy) {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .medium(medium())
            .placement(settings.placement())
            .overheadTarget(settings.budget())
            .smallBypassDramBytes(0)
            .expectedBlockBytes(expectedBlockBytes())
            .maxBlockBytes(Math.min(MAX_BLOCK_BYTES, block.capacity()))
            .testing(
                TestHook.hashSeed(settings.seed()),
                TestHook.nanoTime(() -> lookups * nanosPerLookup))
            .maintainedByCaller();
    policy.configure(builder, settings);
    return builder.build();
  }

  /** In regions, what is read has to be what was written. */
  private Medium medium() {
    return inRegions()
        ? NativeMedium.allocate(settings.capacityBytes())
        : new CountingMedium(settings.capacityBytes(), settings.removalWeight());
  }

  private boolean inRegions() {
    return settings.placement() == BlockPlacement.REGIONS;
  }

  private int expectedBlockBytes() {
    long mean = trace.meanBlockBytes();
    return (int) Math.max(MIN_EXPECTED_BYTES, Math.min(MAX_BLOCK_BYTES, mean));
  }

  private void replay(int index, BlockCache cache) {
    long fileId = files.fileOf(trace.block(index));
    long offset = files.offsetOf(trace.block(index));
    int sizeBytes = trace.sizeBytes(index);
    switch (trace.op(index)) {
      case READ -> lookUp(cache, trace.block(index), sizeBytes, Source.READ);
      case SCAN -> lookUp(cache, trace.block(index), sizeBytes, Source.SCAN);
      case WRITE -> {
        cache.invalidate(fileId, offset);
        offer(cache, fileId, offset, sizeBytes, Source.FLUSH);
      }
      case FREE -> cache.invalidate(fileId, offset);
      case REWRITE_READ -> rewrite(cache).read(fileId, offset);
      case REWRITE_WROTE -> rewrite(cache).wrote(fileId, offset, bytesOf(sizeBytes));
      case REWRITE_END -> endRewrite(cache);
    }
  }

  private Rewrite rewrite(BlockCache cache) {
    if (rewrite == null) {
      rewrite = cache.rewrite();
    }
    return rewrite;
  }

  private void endRewrite(BlockCache cache) {
    Rewrite ended = rewrite(cache);
    rewrite = null;
    if (carries) {
      cache.control().maintain(); // The room of what was freed.
      ended.carry((fileId, offset, lengthBytes) -> block.clear().limit(lengthBytes));
    }
  }

  private int bytesOf(int sizeBytes) {
    return Math.min(sizeBytes, block.capacity());
  }

  private void lookUp(BlockCache cache, int number, int sizeBytes, Source source) {
    long fileId = files.fileOf(number);
    long offset = files.offsetOf(number);
    if (cache.get(fileId, offset, block.clear()) == BlockCache.MISS) {
      fetches.missed(fileId, offset, sizeBytes);
      OfferResult offered = offer(cache, fileId, offset, sizeBytes, source);
      writtenAtFirst += offered == OfferResult.ADMITTED && !seen.get(number) ? 1 : 0;
    } else {
      fetches.hit();
    }
    seen.set(number);
    lookups++;
    if (lookups == nextSecond) {
      nextSecond += settings.lookupsPerSecond();
      cache.control().maintain();
    } else if (inRegions() && lookups % LOOKUPS_PER_FLUSH == 0) {
      cache.control().maintain(); // A thread would write the log out, and make room in it.
    }
    while (lookups == trace.lookups() * (windows.size() + 1) / WINDOWS) {
      endWindow(cache.stats());
    }
  }

  private OfferResult offer(
      BlockCache cache, long fileId, long offset, int sizeBytes, Source source) {
    return cache.offer(fileId, offset, block.clear().limit(bytesOf(sizeBytes)), source);
  }

  private void endWindow(CacheStats now) {
    long hits = now.hits();
    double writes = ReplayResult.writes(now, settings.removalWeight());
    long lookupsBefore = trace.lookups() * windows.size() / WINDOWS;
    windows.add(
        new ReplayResult.Window(
            lookups - lookupsBefore,
            hits - hitsBefore,
            writes - writesBefore,
            fetches.bytes() - fetchedBytesBefore,
            fetches.requests() - requestsBefore));
    fetchedBytesBefore = fetches.bytes();
    requestsBefore = fetches.requests();
    hitsBefore = hits;
    writesBefore = writes;
  }

  /** The medium of replays. The statistics of the cache count what is written to it. */
  private static final class CountingMedium extends BytelessMedium {
    /**
     * Makes a medium.
     *
     * @param removalWeight what freeing a block costs, as the policies see it
     */
    CountingMedium(long capacityBytes, double removalWeight) {
      super(capacityBytes, new WriteCost(removalWeight, Integer.MAX_VALUE, 0));
    }

    @Override
    public String describe() {
      return "no bytes, " + capacityBytes() + " counted";
    }
  }

  /** Which file a block of a trace is in: of one, unless files are rewritten in the trace. */
  private static final class FileNumbers {
    private static final long FIRST_FILE = 1;

    private final Trace trace;
    private final boolean several;

    FileNumbers(Trace trace) {
      this.trace = trace;
      this.several = trace.hasRewrites();
    }

    long fileOf(int block) {
      return several ? FIRST_FILE + trace.file(block) : FIRST_FILE;
    }

    long offsetOf(int block) {
      return several ? trace.offsetInFile(block) : trace.offset(block);
    }
  }

  /**
   * What the backend below the cache is asked for: the bytes of all lookups that miss, and the
   * requests that bring them. Neighbouring blocks that are missed by one lookup after the other
   * come with one request, as a disk would serve them; the time of a disk's head follows from the
   * two (D. Wong et al., "Baleen: ML Admission &amp; Prefetching for Flash Caches", FAST 2024).
   */
  private static final class Fetches {
    private static final int NONE = -1;

    private long bytes;
    private long requests;
    private long lastFile = NONE;
    private long nextOffset;

    /** Counts a lookup that misses. */
    void missed(long fileId, long offset, int sizeBytes) {
      bytes += sizeBytes;
      if (fileId != lastFile || offset != nextOffset) {
        requests++;
      }
      lastFile = fileId;
      nextOffset = offset + Trace.BLOCK_DISTANCE_BYTES;
    }

    /** Counts one that hits. */
    void hit() {
      lastFile = NONE;
    }

    long bytes() {
      return bytes;
    }

    long requests() {
      return requests;
    }
  }
}
