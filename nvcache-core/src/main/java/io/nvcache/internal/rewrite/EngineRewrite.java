// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.read.RewriteReads;
import io.nvcache.internal.write.Forecasts;
import io.nvcache.internal.write.Offers;
import io.nvcache.stats.Counter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
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

  @SuppressWarnings("UnusedVariable") // Keeps the cache open.
  private final CallersHold hold;

  private final HeatSpread heat = new HeatSpread();
  private final KnownKeys keys = new KnownKeys();
  private final HottestBlocks hottest = new HottestBlocks(MOST_BLOCKS);
  private long cachedInputBytes;

  /** Whether a thread has begun to carry: nothing is noted any more. */
  private volatile boolean carrying;

  // From here on guarded by this object: several threads may carry.

  private int carriers;

  /** Once alone: admission takes a reserve that is gone for the begin of a time without one. */
  private boolean hasReserved;

  /** What is worth reading, the hottest first. */
  private final Deque<HotBlock> left = new ArrayDeque<>();

  /** What is not foretold yet, the hottest first. */
  private final Deque<HotBlock> untold = new ArrayDeque<>();

  private long foretoldBytes;

  /** Of the room that the inputs left, what is not taken. */
  private long roomBytes;

  /** Of the same, what admission keeps for blocks that are still to come. */
  private long reservedBytes;

  public EngineRewrite(
      CallGate gate, RewriteReads reads, Offers offers, Forecasts forecasts, CallersHold hold) {
    this.gate = gate;
    this.reads = reads;
    this.offers = offers;
    this.forecasts = forecasts;
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
    KnownKeys.check(fileId, offset, keyLookups);
    requireWriting();
    double blockHeat = keys.heat(heat.wrote(), keyLookups);
    if (blockHeat > 0) {
      HotBlock dropped = hottest.add(new HotBlock(fileId, offset, lengthBytes, blockHeat));
      if (dropped != null && dropped.heat() >= LEAST_HEAT) {
        offers.countCarried(Counter.CARRIED_UNASKED, 1);
      }
    }
    return blockHeat;
  }

  private void requireWriting() {
    if (carrying) {
      throw new IllegalStateException(
          "the rewrite carries already, and notes no more blocks; make one for each rewrite with"
              + " cache.rewrite(), and carry once it has written all");
    }
  }

  @Override
  public int carryAhead(OutputReader kept) {
    Objects.requireNonNull(kept, "kept");
    sort();
    return new Carrier(kept).carryAhead();
  }

  @Override
  public int carry(OutputReader outputs) {
    Objects.requireNonNull(outputs, "outputs");
    sort();
    begin();
    try {
      return new Carrier(outputs).carry();
    } finally {
      end();
    }
  }

  private synchronized void sort() {
    if (carrying) {
      return;
    }
    carrying = true;
    for (HotBlock block : hottest.takeHottestFirst()) {
      untold.addLast(block);
      if (block.heat() >= LEAST_HEAT) {
        left.addLast(block);
      }
    }
    roomBytes = cachedInputBytes;
  }

  private synchronized void begin() {
    carriers++;
    if (!hasReserved) {
      hasReserved = true;
      reserve(roomBytes);
    }
  }

  private synchronized void end() {
    carriers--;
    if (carriers == 0) {
      leaveOut(each -> true);
      reserve(-reservedBytes);
      foretell(Integer.MAX_VALUE);
    }
  }

  /** No more than there is room for: admission counts few blocks exactly. */
  private synchronized void foretell(int mostBlocks) {
    for (int i = 0; i < mostBlocks && !untold.isEmpty(); i++) {
      HotBlock block = untold.remove();
      foretoldBytes += block.lengthBytes();
      if (foretoldBytes > cachedInputBytes) {
        untold.clear();
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
      offers.countCarried(Counter.CARRIED_NO_ROOM, 1);
    }
    return null;
  }

  private synchronized void giveRoomBack(HotBlock block) {
    roomBytes += block.lengthBytes();
  }

  private synchronized void putBack(HotBlock block) {
    giveRoomBack(block);
    left.addFirst(block);
  }

  private synchronized void leaveOut(Predicate<HotBlock> which) {
    int before = left.size();
    left.removeIf(which);
    offers.countCarried(Counter.CARRIED_UNASKED, before - left.size());
  }

  private synchronized void useReserve(HotBlock block) {
    if (reservedBytes > 0) {
      reserve(-Math.min(reservedBytes, block.lengthBytes()));
    }
  }

  /** One of the threads that carry. */
  private final class Carrier {
    private final OutputReader outputs;
    private int admitted;

    /** In a row. */
    private int refused;

    /**
     * The block at hand, once it is read: a cache that is busy gets it again, the store does not.
     */
    private @Nullable ByteBuffer bytes;

    Carrier(OutputReader outputs) {
      this.outputs = outputs;
    }

    int carry() {
      while (goesOn()) {
        HotBlock block = take();
        if (block == null) {
          break;
        }
        OfferResult result = null;
        try {
          result = offerUntilDecided(block);
        } finally {
          bytes = null;
          settle(block, result);
        }
        goOn(block, result);
      }
      return admitted;
    }

    /** Ends at the first block that is not cached at once, which {@link #carry} goes on with. */
    int carryAhead() {
      while (goesOn()) {
        HotBlock block = take();
        if (block == null || !isCachedAtOnce(block)) {
          break;
        }
      }
      return admitted;
    }

    private boolean isCachedAtOnce(HotBlock block) {
      OfferResult result = null;
      boolean cached = false;
      try {
        result = offer(block);
        cached = result == OfferResult.ADMITTED || result == OfferResult.ALREADY_CACHED;
      } finally {
        bytes = null;
        if (!cached) {
          putBack(block);
        }
      }
      if (cached) {
        settle(block, result);
        goOn(block, result);
      }
      return cached;
    }

    private boolean goesOn() {
      return refused < MOST_REFUSED && !Thread.currentThread().isInterrupted();
    }

    /** Returns what becomes of a block in the end; null if it can't be read. */
    private @Nullable OfferResult offerUntilDecided(HotBlock block) {
      OfferResult result = offer(block);
      while (result != null && isForNow(result)) {
        LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << refused));
        refused++;
        if (!goesOn()) {
          break;
        }
        foretell(FORETOLD_WITH_EACH); // Readers ask, whether the cache has time or not.
        result = offer(block);
      }
      return result;
    }

    private static boolean isForNow(OfferResult result) {
      return switch (result) {
        case BYPASSED_OVERHEAD, BYPASSED_WRITE_LIMIT, NO_SPACE, MEDIUM_BUSY -> true;
        default -> false;
      };
    }

    private @Nullable OfferResult offer(HotBlock block) {
      return offers.offerCarried(
          block.fileId(),
          block.offset(),
          block.lengthBytes(),
          () -> {
            if (bytes == null) {
              bytes = outputs.read(block.fileId(), block.offset(), block.lengthBytes());
            }
            return bytes;
          },
          block.heat());
    }

    /** Counts what became of a block, null if it can't be read, and settles its room. */
    private void settle(HotBlock block, @Nullable OfferResult result) {
      offers.countCarried(
          result == null ? Counter.CARRIED_UNREADABLE : Counter.ofCarried(result), 1);
      if (result == OfferResult.ADMITTED) {
        useReserve(block);
      } else {
        giveRoomBack(block);
      }
    }

    /** Draws the consequence for the blocks that are left. */
    private void goOn(HotBlock block, @Nullable OfferResult result) {
      if (result == null) {
        leaveOut(each -> each.fileId() == block.fileId());
        return;
      }
      switch (result) {
        case ADMITTED -> {
          admitted++;
          refused = 0;
        }
        case NOT_WORTH_IT, MEDIUM_FAILED -> refused++;
        case ALREADY_CACHED,
            TOO_LARGE,
            BYPASSED_OVERHEAD,
            BYPASSED_WRITE_LIMIT,
            NO_SPACE,
            MEDIUM_BUSY -> {}
        case BYPASSED_SMALL, OUT_OF_SERVICE, CLOSED -> leaveOut(each -> true);
      }
    }
  }
}
