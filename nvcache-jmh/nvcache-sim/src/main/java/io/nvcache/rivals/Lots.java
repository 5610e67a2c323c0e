// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import java.util.concurrent.atomic.AtomicLong;

/** Draws uniform numbers that follow from a seed, for any number of threads. */
final class Lots {
  private static final double UNIT = 0x1p-53;

  private final AtomicLong drawn;

  Lots(long seed) {
    this.drawn = new AtomicLong(SlotNames.mix(seed));
  }

  /** From 0 to 1, 1 excluded. */
  double draw() {
    return (SlotNames.mix(drawn.getAndIncrement()) >>> 11) * UNIT;
  }
}
