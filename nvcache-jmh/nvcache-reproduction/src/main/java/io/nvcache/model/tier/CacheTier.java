// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.device.BytelessMedium;
import io.nvcache.medium.WriteCost;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.tier.CachePolicy.Trigger;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/**
 * The real cache on a modelled medium, next to the block reader as in SoCC '22, Fig. 3. Admission,
 * eviction, index and allocator are the same as in every other cache; only the bytes are missing,
 * and what the engine moves is charged to the devices.
 */
public class CacheTier extends Tier {
  private static final long FILE_ID = 1;

  private final CachePolicy policy;
  private final ModelMedium medium;
  private final BlockCache cache;
  private final int blockBytes;
  private final ByteBuffer block;

  CacheTier(TierContext context, CachePolicy policy) {
    this(context, policy, UnaryOperator.identity());
  }

  /**
   * Makes a tier with an observer between the model and the cache.
   *
   * @param between is given the cache and gives back what the model is to call
   */
  public CacheTier(TierContext context, CachePolicy policy, UnaryOperator<BlockCache> between) {
    super(context.machine());
    this.policy = policy;
    this.blockBytes = context.machine().parameters().blockBytes();
    this.block = ByteBuffer.allocate(blockBytes);
    this.medium = new ModelMedium(context.capacityBytes(), policy.writeCost());
    this.cache =
        between.apply(
            BlockCache.builder()
                .medium(medium)
                .admission(policy.admission())
                .eviction(policy.eviction())
                .evictionWindow(policy.evictionWindow())
                .overheadTarget(policy.overheadTarget())
                .smallBypassDramBytes(context.dramBytes())
                .expectedBlockBytes(policy.indexedBlockBytes())
                .maxBlockBytes(Math.max(4096, blockBytes))
                .testing(
                    TestHook.hashSeed(context.seed()),
                    TestHook.nanoTime(() -> context.storeNanos() + medium.probedNanos()))
                .maintainedByCaller()
                .build());
  }

  @Override
  public boolean read(int place, Activity activity) {
    if (cache.get(FILE_ID, offset(place), block.clear()) == BlockCache.MISS) {
      return false;
    }
    machine().compute(activity, machine().parameters().nvramHitSeconds());
    machine().readNvram(activity, (double) medium.takeRead());
    return true;
  }

  @Override
  public void fetched(int place, Source source, Activity activity) {
    if (policy.offers().contains(Trigger.READ)) {
      offer(place, source, activity);
    }
  }

  @Override
  public void write(int place, Activity activity) {
    super.write(place, activity);
    if (policy.offers().contains(Trigger.WRITE)) {
      offer(place, Source.FLUSH, activity);
    }
  }

  @Override
  public void pageLeft(int place, Activity activity) {
    if (policy.offers().contains(Trigger.PAGE_LEFT)) {
      offer(place, Source.READ, activity);
    }
  }

  /** Offers a block, and charges for what the engine wrote. */
  final OfferResult offer(int place, Source source, Activity activity) {
    OfferResult result = cache.offer(FILE_ID, offset(place), block.clear(), source);
    long written = medium.takeWritten();
    if (written > 0) {
      machine().writeNvram(activity, (double) written + policy.allocationBytes());
    }
    return result;
  }

  /** Takes a block out, which writes nothing by itself; whether it was there. */
  final boolean forget(int place) {
    return cache.invalidate(FILE_ID, offset(place));
  }

  @Override
  public void freed(int place, Activity activity) {
    if (forget(place)) {
      machine().writeNvram(activity, policy.removalBytes());
    }
  }

  @Override
  public void dataSetBytes(long bytes) {
    cache.control().dataSet().register(FILE_ID, bytes);
  }

  /** A sweep's frees are one job of the thread that sweeps. */
  @Override
  public void everySecond(Activity activity) {
    long before = cache.stats().evictions();
    medium.beginProbes(1e9 * machine().nvram().secondsPerUnit());
    cache.control().maintain();
    medium.endProbes();
    long evicted = cache.stats().evictions() - before;
    machine().writeNvram(activity, (double) evicted * policy.removalBytes());
  }

  @Override
  public CacheStats stats() {
    return cache.stats();
  }

  private long offset(int place) {
    return (long) place * blockBytes;
  }

  @Override
  public void close() {
    cache.close();
  }

  /** Counts the bytes that the engine moves, so that the model can charge for them. */
  private static final class ModelMedium extends BytelessMedium {
    private long read;
    private long written;
    private double probeNanosPerByte;
    private double probedNanos;

    ModelMedium(long capacityBytes, WriteCost writeCost) {
      super(capacityBytes, writeCost);
    }

    /** Bytes read since this was last asked. */
    long takeRead() {
      long taken = read;
      read = 0;
      return taken;
    }

    /** Bytes written since this was last asked. */
    long takeWritten() {
      long taken = written;
      written = 0;
      return taken;
    }

    /**
     * Counts the reads from now on as a prober's, who measures how long they take, and not as
     * clients'.
     *
     * @param nanosPerByte that they take
     */
    void beginProbes(double nanosPerByte) {
      probeNanosPerByte = nanosPerByte;
    }

    /** Counts reads as clients' again. */
    void endProbes() {
      probeNanosPerByte = 0;
    }

    /** What probes took, on the clock of the prober. */
    long probedNanos() {
      return (long) probedNanos;
    }

    @Override
    public void read(long offset, ByteBuffer dst, int length) {
      super.read(offset, dst, length);
      if (probeNanosPerByte > 0) {
        probedNanos += length * probeNanosPerByte;
      } else {
        read += length;
      }
    }

    @Override
    public void write(long offset, ByteBuffer src, int srcPosition, int length) {
      super.write(offset, src, srcPosition, length);
      written += length;
    }

    @Override
    public String describe() {
      return "modelled NVRAM of " + capacityBytes() + " bytes";
    }
  }
}
