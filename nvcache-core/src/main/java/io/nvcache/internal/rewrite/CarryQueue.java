// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import io.nvcache.Rewrite;
import io.nvcache.internal.write.Forecasts;
import io.nvcache.internal.write.Offers;
import io.nvcache.stats.Counter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The hot blocks of a rewrite's outputs that are yet to be carried, and the room for them: what the
 * inputs leave, a part of which admission keeps free while blocks are carried.
 *
 * <p>Thread-safe: several threads may carry.
 */
final class CarryQueue {
  /**
   * How many blocks admission learns the heat of with each that is carried. All at once, at the
   * commit, took as long as carrying hundreds of them.
   */
  private static final int PRIMED_WITH_EACH = 4;

  private final Offers offers;
  private final Forecasts forecasts;
  private final long cachedInputBytes;

  // Guarded by this object.

  private int carriers;

  /** Once alone: admission takes a reserve that is gone for the begin of a time without one. */
  private boolean hasReserved;

  /** What is worth reading, the hottest first. */
  private final Deque<HotBlock> left = new ArrayDeque<>();

  /** Blocks whose heat admission does not know yet, the hottest first. */
  private final Deque<HotBlock> unprimed = new ArrayDeque<>();

  private long primedBytes;

  /** Of the room that the inputs left, what is not taken. */
  private long roomBytes;

  /** Bytes of room that admission keeps for blocks that are still to come. */
  private long reservedBytes;

  /**
   * Queues blocks.
   *
   * @param hottestFirst the outputs' blocks
   * @param cachedInputBytes the room that the inputs leave
   */
  CarryQueue(
      Offers offers, Forecasts forecasts, List<HotBlock> hottestFirst, long cachedInputBytes) {
    this.offers = offers;
    this.forecasts = forecasts;
    this.cachedInputBytes = cachedInputBytes;
    this.roomBytes = cachedInputBytes;
    for (HotBlock block : hottestFirst) {
      unprimed.addLast(block);
      if (block.heat() >= Rewrite.LEAST_HEAT) {
        left.addLast(block);
      }
    }
  }

  /** A thread begins to carry. */
  synchronized void begin() {
    carriers++;
    if (!hasReserved) {
      hasReserved = true;
      reserve(roomBytes);
    }
  }

  /** A thread does not carry any more; with the last one, what is left is given up. */
  synchronized void end() {
    carriers--;
    if (carriers == 0) {
      leaveOut(each -> true);
      reserve(-reservedBytes);
      prime(Integer.MAX_VALUE);
    }
  }

  /** Tells admission the heat of as many blocks as go with one that is carried. */
  synchronized void primeSome() {
    prime(PRIMED_WITH_EACH);
  }

  /**
   * Tells admission the heat of some more blocks, of no more than there is room for: it counts few
   * blocks exactly.
   */
  private void prime(int mostBlocks) {
    for (int i = 0; i < mostBlocks && !unprimed.isEmpty(); i++) {
      HotBlock block = unprimed.remove();
      primedBytes += block.lengthBytes();
      if (primedBytes > cachedInputBytes) {
        unprimed.clear();
      } else {
        forecasts.tell(block.fileId(), block.offset(), block.heat());
      }
    }
  }

  private void reserve(long moreBytes) {
    reservedBytes += moreBytes;
    forecasts.reserve(Rewrite.LEAST_HEAT, moreBytes);
  }

  /** Takes the hottest block that there is room for, and the room; null if there is none. */
  synchronized @Nullable HotBlock take() {
    primeSome();
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

  /** A block that was taken is not cached. */
  synchronized void giveRoomBack(HotBlock block) {
    roomBytes += block.lengthBytes();
  }

  /** A block that was taken is to be carried later. */
  synchronized void putBack(HotBlock block) {
    giveRoomBack(block);
    left.addFirst(block);
  }

  /** Gives up blocks. */
  synchronized void leaveOut(Predicate<HotBlock> which) {
    int before = left.size();
    left.removeIf(which);
    offers.countCarried(Counter.CARRIED_UNASKED, before - left.size());
  }

  /** A block that was taken is cached: no room has to be kept for it any more. */
  synchronized void useReserve(HotBlock block) {
    if (reservedBytes > 0) {
      reserve(-Math.min(reservedBytes, block.lengthBytes()));
    }
  }
}
