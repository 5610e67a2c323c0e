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
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A rewrite on the engine: its reads pass the gate as other calls do, but are no lookups. */
public final class EngineRewrite implements Rewrite {
  /** So many blocks are noted at most: 21 MB of heap, and 16 GiB of blocks of 64 KiB. */
  private static final int MOST_BLOCKS = 1 << 18;

  /** After so many refusals in a row, the cache takes no more: what is left is colder. */
  private static final int MOST_REFUSED = 32;

  /**
   * So many are foretold with each that is carried, for the first to be carried soon: to foretell a
   * whole cache at the commit took as long as hundreds of them.
   */
  private static final int FORETOLD_WITH_EACH = 4;

  /**
   * Room and credit of invalidated blocks come back in the background: within a moment if few are
   * cached. Each refusal in a row doubles the pause.
   */
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final CallGate gate;
  private final RewriteReads reads;
  private final Offers offers;
  private final Forecasts forecasts;
  private final HeatSpread heat = new HeatSpread();
  private final KnownKeys keys = new KnownKeys();
  private final HottestBlocks hottest = new HottestBlocks(MOST_BLOCKS);
  private long cachedInputBytes;

  // From here on guarded by this object: several threads may carry.

  private int carriers;

  /** What is worth reading, the hottest first. */
  private final Deque<HotBlock> left = new ArrayDeque<>();

  /** What is not foretold yet, the hottest first. */
  private Iterator<HotBlock> untold = Collections.emptyIterator();

  private long foretoldBytes;

  /** Of the room that the inputs left, what is not taken. */
  private long roomBytes;

  /** Of the same, what admission keeps for blocks that are still to come. */
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
  public double wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
    CallerKeys.checkOffset(offset);
    Offers.checkLength(fileId, offset, lengthBytes);
    KnownKeys.check(fileId, offset, keyLookups);
    double blockHeat = keys.heat(heat.wrote(), keyLookups);
    if (blockHeat > 0) {
      hottest.add(new HotBlock(fileId, offset, lengthBytes, blockHeat));
    }
    return blockHeat;
  }

  @Override
  public int carry(OutputReader outputs) {
    Objects.requireNonNull(outputs, "outputs");
    begin();
    try {
      return new Carrier(outputs).carry();
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    carriers++;
    if (carriers > 1) {
      return;
    }
    for (Iterator<HotBlock> hot = hottest.hottestFirst(); hot.hasNext(); ) {
      HotBlock block = hot.next();
      if (block.heat() < LEAST_HEAT) {
        break;
      }
      left.addLast(block);
    }
    untold = hottest.hottestFirst();
    foretoldBytes = 0;
    roomBytes = cachedInputBytes;
    reserve(cachedInputBytes);
  }

  private synchronized void end() {
    carriers--;
    if (carriers == 0) {
      left.clear();
      reserve(-reservedBytes);
      foretell(Integer.MAX_VALUE);
      hottest.clear();
    }
  }

  /** No more than there is room for: admission counts few blocks exactly. */
  private void foretell(int mostBlocks) {
    for (int i = 0; i < mostBlocks && untold.hasNext(); i++) {
      HotBlock block = untold.next();
      foretoldBytes += block.lengthBytes();
      if (foretoldBytes > cachedInputBytes) {
        untold = Collections.emptyIterator();
      } else {
        forecasts.tell(block.fileId(), block.offset(), block.heat());
      }
    }
  }

  private void reserve(long moreBytes) {
    reservedBytes += moreBytes;
    forecasts.reserve(LEAST_HEAT, moreBytes);
  }

  /** Takes the hottest block that there is room for, and the room; null if there is none. */
  private synchronized @Nullable HotBlock take() {
    foretell(FORETOLD_WITH_EACH);
    while (!left.isEmpty()) {
      HotBlock block = left.remove();
      if (block.lengthBytes() <= roomBytes) {
        roomBytes -= block.lengthBytes();
        return block;
      }
    }
    return null;
  }

  private synchronized void giveRoomBack(HotBlock block) {
    roomBytes += block.lengthBytes();
  }

  private synchronized void putBack(HotBlock block) {
    left.addFirst(block);
  }

  private synchronized void leaveOut(Predicate<HotBlock> which) {
    left.removeIf(which);
  }

  private synchronized void useReserve(HotBlock block) {
    reserve(-Math.min(reservedBytes, block.lengthBytes()));
  }

  /** One of the threads that carry. */
  private final class Carrier {
    private final OutputReader outputs;
    private int admitted;

    /** In a row. */
    private int refused;

    Carrier(OutputReader outputs) {
      this.outputs = outputs;
    }

    int carry() {
      while (refused < MOST_REFUSED && !Thread.currentThread().isInterrupted()) {
        HotBlock block = take();
        if (block == null) {
          break;
        }
        OfferResult result = null;
        try {
          result = offer(block);
        } finally {
          if (result != OfferResult.ADMITTED) {
            giveRoomBack(block);
          }
        }
        goOn(block, result);
      }
      return admitted;
    }

    private @Nullable OfferResult offer(HotBlock block) {
      return offers.offerCarried(
          block.fileId(),
          block.offset(),
          block.lengthBytes(),
          () -> outputs.read(block.fileId(), block.offset(), block.lengthBytes()),
          block.heat());
    }

    /** Draws the consequence of an offer; null if the block can't be read. */
    private void goOn(HotBlock block, @Nullable OfferResult result) {
      if (result == null) {
        leaveOut(each -> each.fileId() == block.fileId());
        return;
      }
      switch (result) {
        case ADMITTED -> {
          admitted++;
          refused = 0;
          useReserve(block);
        }
        case ALREADY_CACHED, TOO_LARGE -> {}
        case NOT_WORTH_IT, MEDIUM_FAILED -> refused++;
        case BYPASSED_OVERHEAD, BYPASSED_WRITE_LIMIT, NO_SPACE, MEDIUM_BUSY -> {
          putBack(block);
          LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << refused));
          refused++;
        }
        case BYPASSED_SMALL, OUT_OF_SERVICE, CLOSED -> leaveOut(each -> true);
      }
    }
  }
}
