// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.read.RewriteReads;
import io.nvcache.internal.write.Forecasts;
import io.nvcache.internal.write.Offers;
import io.nvcache.stats.Counter;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A rewrite on the engine: its reads pass the gate as other calls do, but do not count as lookups.
 */
public final class EngineRewrite implements Rewrite {
  /** So many blocks are noted at most: 21 MB of heap, and 16 GiB of blocks of 64 KiB. */
  private static final int MOST_BLOCKS = 1 << 18;

  private final CallGate gate;
  private final RewriteReads reads;
  private final Offers offers;
  private final Forecasts forecasts;
  private final LongSupplier deadBlocks;

  @SuppressWarnings("UnusedVariable") // Keeps the cache open.
  private final CallersHold hold;

  private final HeatSpread heat = new HeatSpread();
  private final OutputHeat outputHeat = new OutputHeat();
  private final HottestBlocks hottest = new HottestBlocks(MOST_BLOCKS);
  private long cachedInputBytes;

  /** Set once a thread has begun to carry: nothing is noted any more. */
  private volatile @Nullable CarryQueue queue;

  /**
   * Begins.
   *
   * @param deadBlocks returns how many blocks of dropped files still take room
   */
  public EngineRewrite(
      CallGate gate,
      RewriteReads reads,
      Offers offers,
      Forecasts forecasts,
      LongSupplier deadBlocks,
      CallersHold hold) {
    this.gate = gate;
    this.reads = reads;
    this.offers = offers;
    this.forecasts = forecasts;
    this.deadBlocks = deadBlocks;
    this.hold = hold;
  }

  @Override
  public @Nullable PinnedBlock read(long fileId, long offset) {
    CallerKeys.checkOffset(offset);
    requireWriting();
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return null;
    }
    RewriteReads.Found found;
    try {
      if (gate.isClosed()) {
        return null;
      }
      found = reads.read(fileId, offset, stripe);
    } finally {
      gate.end(stripe);
    }
    if (!heat.isOpen(fileId, offset)) {
      heat.open(fileId, offset, found.heat());
      cachedInputBytes += found.lengthBytes();
    }
    return found.block();
  }

  @Override
  public double wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
    CallerKeys.checkOffset(offset);
    Offers.checkLength(fileId, offset, lengthBytes);
    OutputHeat.check(fileId, offset, keyLookups);
    requireWriting();
    double blockHeat = outputHeat.heat(heat.wrote(), keyLookups);
    if (blockHeat > 0) {
      HotBlock dropped = hottest.add(new HotBlock(fileId, offset, lengthBytes, blockHeat));
      if (dropped != null && dropped.heat() >= LEAST_HEAT) {
        offers.countCarried(Counter.CARRIED_UNASKED, 1);
      }
    }
    return blockHeat;
  }

  private void requireWriting() {
    if (queue != null) {
      throw new IllegalStateException(
          "the rewrite carries already, and notes no more blocks; make one for each rewrite with"
              + " cache.rewrite(), and carry once it has written all");
    }
  }

  @Override
  public int carryAhead(OutputReader kept) {
    Objects.requireNonNull(kept, "kept");
    return new Carrier(queue(), offers, deadBlocks, kept).carryAhead();
  }

  @Override
  public int carry(OutputReader outputs) {
    Objects.requireNonNull(outputs, "outputs");
    CarryQueue blocks = queue();
    blocks.begin();
    try {
      return new Carrier(blocks, offers, deadBlocks, outputs).carry();
    } finally {
      blocks.end();
    }
  }

  private synchronized CarryQueue queue() {
    CarryQueue blocks = queue;
    if (blocks == null) {
      blocks = new CarryQueue(offers, forecasts, hottest.takeHottestFirst(), cachedInputBytes);
      queue = blocks;
    }
    return blocks;
  }
}
