// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.read.RewriteReads;
import io.nvcache.internal.write.Forecasts;
import io.nvcache.internal.write.Offers;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A rewrite on the engine: its reads pass the gate as other calls do, but are no lookups. */
public final class EngineRewrite implements Rewrite {
  /** So many blocks are noted at most: 16 MB of heap, and 16 GiB of blocks of 64 KiB. */
  private static final int MOST_BLOCKS = 1 << 18;

  /** After so many refusals in a row, the cache takes no more: what is left is colder. */
  private static final int MOST_REFUSED = 32;

  /**
   * What is expected to have been looked up less is not read unasked: one lookup is chance. It is
   * foretold, and admitted when a lookup misses it.
   */
  private static final double LEAST_HEAT = 2;

  /** Room and credit of invalidated blocks come back in the background. */
  private static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final CallGate gate;
  private final RewriteReads reads;
  private final Offers offers;
  private final Forecasts forecasts;
  private final HeatSpread heat = new HeatSpread();
  private final KnownKeys keys = new KnownKeys();
  private final HottestBlocks hottest = new HottestBlocks(MOST_BLOCKS);
  private long cachedInputBytes;

  /** Of the room that the inputs left, what is still spoken for. */
  private long reservedBytes;

  public EngineRewrite(CallGate gate, RewriteReads reads, Offers offers, Forecasts forecasts) {
    this.gate = gate;
    this.reads = reads;
    this.offers = offers;
    this.forecasts = forecasts;
  }

  @Override
  public @Nullable PinnedBlock read(long fileId, long offset) {
    CallerKeys.checkOffset(offset);
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
  public void wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
    CallerKeys.checkOffset(offset);
    Offers.checkLength(fileId, offset, lengthBytes);
    KnownKeys.check(fileId, offset, keyLookups);
    double blockHeat = keys.heat(heat.wrote(), keyLookups);
    if (blockHeat > 0) {
      hottest.add(new HotBlock(fileId, offset, lengthBytes, blockHeat));
    }
  }

  @Override
  public int carry(OutputReader outputs) {
    Objects.requireNonNull(outputs, "outputs");
    Deque<HotBlock> left = hottest.takeHottestFirst();
    foretell(left);
    left.removeIf(block -> block.heat() < LEAST_HEAT);
    reserve(cachedInputBytes);
    try {
      return carry(left, outputs);
    } finally {
      reserve(-reservedBytes);
    }
  }

  private void reserve(long moreBytes) {
    reservedBytes += moreBytes;
    forecasts.reserve(LEAST_HEAT, moreBytes);
  }

  /** No more than there is room for: admission counts few blocks exactly. */
  private void foretell(Deque<HotBlock> blocks) {
    long roomBytes = cachedInputBytes;
    for (HotBlock block : blocks) {
      roomBytes -= block.lengthBytes();
      if (roomBytes < 0) {
        return;
      }
      forecasts.tell(block.fileId(), block.offset(), block.heat());
    }
  }

  private int carry(Deque<HotBlock> left, OutputReader outputs) {
    long roomBytes = cachedInputBytes;
    int admitted = 0;
    int refused = 0; // In a row.
    while (!left.isEmpty() && refused < MOST_REFUSED && !Thread.currentThread().isInterrupted()) {
      HotBlock block = left.remove();
      if (block.lengthBytes() > roomBytes) {
        continue;
      }
      OfferResult result =
          offers.offerCarried(
              block.fileId(),
              block.offset(),
              block.lengthBytes(),
              () -> outputs.read(block.fileId(), block.offset(), block.lengthBytes()),
              block.heat());
      if (result == null) {
        left.removeIf(each -> each.fileId() == block.fileId());
        continue;
      }
      switch (result) {
        case ADMITTED -> {
          admitted++;
          refused = 0;
          roomBytes -= block.lengthBytes();
          reserve(-Math.min(reservedBytes, block.lengthBytes()));
        }
        case ALREADY_CACHED, TOO_LARGE -> {}
        case NOT_WORTH_IT, MEDIUM_FAILED -> refused++;
        case BYPASSED_OVERHEAD, BYPASSED_WRITE_LIMIT, NO_SPACE, MEDIUM_BUSY -> {
          refused++;
          left.addFirst(block);
          LockSupport.parkNanos(REFUSED_NANOS);
        }
        case BYPASSED_SMALL, OUT_OF_SERVICE, CLOSED -> left.clear();
      }
    }
    return admitted;
  }
}
