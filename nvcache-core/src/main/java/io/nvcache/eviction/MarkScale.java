// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.VictimPricing;

/**
 * A worth and a freshness in one byte: {@code 1 + 41·freshness + level}. Worths up to a lookup are
 * kept to 1/16, higher ones to 1/8 of themselves: levels 0 … 40 are 0, 1 … 16, 18 … 32, 36 … 64, 72
 * … 128 sixteenths.
 */
final class MarkScale {
  static final int MOST_WORTH = 8 * VictimPricing.LOOKUP_WORTH;
  static final int FRESHEST = 5;

  private static final int LEVELS = 41;
  private static final int[] WORTHS = new int[LEVELS];
  private static final byte[] LEVEL_OF = new byte[MOST_WORTH + 1];

  /** The mark after a hit, by the mark before it. */
  private static final short[] AFTER_HIT = new short[256];

  private static final short[] BY_USE = new short[256];
  private static final byte[] LEVEL = new byte[256];
  private static final byte[] FRESHNESS = new byte[256];

  static {
    int level = 0;
    for (int worth = 0; worth <= MOST_WORTH; worth += step(worth)) {
      WORTHS[level++] = worth;
    }
    assert level == LEVELS : level;
    for (int worth = 0; worth <= MOST_WORTH; worth++) {
      while (level > 0 && (level == LEVELS || WORTHS[level] > worth)) {
        level--;
      }
      while (level + 1 < LEVELS && WORTHS[level + 1] <= worth) {
        level++;
      }
      LEVEL_OF[worth] = (byte) level;
    }
    for (int mark = 0; mark < 256; mark++) {
      int of = Math.max(0, mark - 1);
      FRESHNESS[mark] = (byte) Math.min(FRESHEST, of / LEVELS);
      LEVEL[mark] = (byte) Math.min(LEVELS - 1, of - FRESHNESS[mark] * LEVELS);
      BY_USE[mark] = (short) (LEVEL[mark] * (FRESHEST + 1) + FRESHNESS[mark]);
      AFTER_HIT[mark] =
          (short) mark(FRESHEST, Math.min(MOST_WORTH, worth(mark) + VictimPricing.LOOKUP_WORTH));
    }
  }

  private MarkScale() {}

  private static int step(int worth) {
    if (worth < 16) {
      return 1;
    }
    return worth < 32 ? 2 : worth < 64 ? 4 : 8;
  }

  /** Rounds down. */
  static int mark(int freshness, int worth) {
    return 1 + freshness * LEVELS + LEVEL_OF[worth];
  }

  /** Rounds up or down by lot, so that what is lost of the worth is right on average. */
  static int mark(int freshness, int worth, int lot) {
    int level = LEVEL_OF[worth];
    int over = worth - WORTHS[level];
    boolean up = over > 0 && lot % (WORTHS[level + 1] - WORTHS[level]) < over;
    return 1 + freshness * LEVELS + level + (up ? 1 : 0);
  }

  static int hit(int mark) {
    return AFTER_HIT[mark];
  }

  static int worth(int mark) {
    return WORTHS[LEVEL[mark]];
  }

  static int freshness(int mark) {
    return FRESHNESS[mark];
  }

  /** Orders marks by worth, and equal ones by freshness. */
  static int byUse(int mark) {
    return BY_USE[mark];
  }
}
