// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import io.nvcache.OfferResult;
import io.nvcache.Rewrite;
import io.nvcache.internal.write.Offers;
import io.nvcache.stats.Counter;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries hot blocks of outputs into the cache, on one of the threads that do: reads each from the
 * store, and offers it until it is decided.
 */
final class Carrier {
  /** After so many refusals in a row, the cache takes no more: what is left is colder. */
  private static final int MOST_REFUSED = 32;

  /**
   * Room and credit of invalidated blocks come back in the background: within a moment if few are
   * cached. Each refusal in a row doubles the pause.
   */
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final CarryQueue queue;
  private final Offers offers;
  private final LongSupplier deadBlocks;
  private final Rewrite.OutputReader outputs;
  private int admitted;

  /** In a row. */
  private int refused;

  /** The block at hand, once it is read: a cache that is busy gets it again, the store does not. */
  private @Nullable ByteBuffer bytes;

  Carrier(CarryQueue queue, Offers offers, LongSupplier deadBlocks, Rewrite.OutputReader outputs) {
    this.queue = queue;
    this.offers = offers;
    this.deadBlocks = deadBlocks;
    this.outputs = outputs;
  }

  /** Carries blocks until none is left, and returns how many were admitted. */
  int carry() {
    while (mayContinue()) {
      HotBlock block = queue.take();
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
      conclude(block, result);
    }
    return admitted;
  }

  /** Ends at the first block that is not cached at once, which {@link #carry} continues with. */
  int carryAhead() {
    while (mayContinue()) {
      HotBlock block = queue.take();
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
        queue.putBack(block);
      }
    }
    if (cached) {
      settle(block, result);
      conclude(block, result);
    }
    return cached;
  }

  private boolean mayContinue() {
    return refused < MOST_REFUSED && !Thread.currentThread().isInterrupted();
  }

  /** Returns what becomes of a block in the end; null if it can't be read. */
  private @Nullable OfferResult offerUntilDecided(HotBlock block) {
    OfferResult result = offer(block);
    while (result != null && isForNow(result)) {
      LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << refused));
      refused++;
      if (!mayContinue()) {
        break;
      }
      queue.primeSome(); // Readers ask, whether the cache has time or not.
      result = offer(block);
    }
    return result;
  }

  /**
   * Returns whether the same offer may be answered otherwise in a moment. While blocks of dropped
   * files take room, the inputs' among them, an output would have to displace a live block and is
   * not worth that; the room that it is to have comes when they are reclaimed.
   */
  private boolean isForNow(OfferResult result) {
    return switch (result) {
      case BYPASSED_OVERHEAD, BYPASSED_WRITE_LIMIT, NO_SPACE, MEDIUM_BUSY -> true;
      case NOT_WORTH_IT -> deadBlocks.getAsLong() > 0;
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
    offers.countCarried(result == null ? Counter.CARRIED_UNREADABLE : Counter.ofCarried(result), 1);
    if (result == OfferResult.ADMITTED) {
      queue.useReserve(block);
    } else {
      queue.giveRoomBack(block);
    }
  }

  /** Draws the consequence for the blocks that are left. */
  private void conclude(HotBlock block, @Nullable OfferResult result) {
    if (result == null) {
      queue.leaveOut(each -> each.fileId() == block.fileId());
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
      case BYPASSED_SMALL, OUT_OF_SERVICE, CLOSED -> queue.leaveOut(each -> true);
    }
  }
}
