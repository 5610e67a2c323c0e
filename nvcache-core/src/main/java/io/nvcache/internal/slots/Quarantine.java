// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps space whose bytes went bad from being used again, up to a part of the medium: what is
 * written there may go bad again, but a cache that shrinks without end is of no use.
 */
public final class Quarantine {
  /** Past this part of the medium, space that went bad is used again. */
  private static final long SHARE = 16;

  private final Allocator allocator;
  private final long maxBytes;

  /** Never given back, so that what was counted stays true. */
  private final AtomicLong withheldBytes = new AtomicLong();

  public Quarantine(Allocator allocator) {
    this.allocator = allocator;
    this.maxBytes = allocator.locations().capacityBytes() / SHARE;
  }

  /**
   * Takes over the reference to a slot that the index held, and gives it back if it is too much.
   */
  public void take(long location) {
    if (!tryWithhold(allocator.shareBytes(location))) {
      allocator.release(location);
    }
  }

  private boolean tryWithhold(long spaceBytes) {
    long before = withheldBytes.get();
    while (before + spaceBytes <= maxBytes) {
      long seen = withheldBytes.compareAndExchange(before, before + spaceBytes);
      if (seen == before) {
        return true;
      }
      before = seen;
    }
    return false;
  }
}
