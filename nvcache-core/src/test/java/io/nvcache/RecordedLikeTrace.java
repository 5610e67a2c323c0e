// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.SplittableRandom;

/**
 * Accesses as traces of block devices have them, where plain Zipf has not: a hot set that moves on,
 * a table that is scanned again and again, data that are read once, and updates. The same ones
 * every time.
 */
final class RecordedLikeTrace {
  static final int LOOKUPS = 400_000;

  private static final int HOT_KEYS = 120_000;
  private static final double ZIPF = 0.85;
  private static final int PHASE = 50_000;
  private static final int SCANNED_KEYS = 24_000;
  private static final long SCANNED_FROM = 1L << 32;
  private static final long ONCE_FROM = 1L << 33;
  private static final int SCAN_LENGTH = 64;

  /** Hears the trace. */
  interface Replay {
    void lookUp(long key);

    void update(long key);
  }

  private final SplittableRandom random = new SplittableRandom(20_221_107);
  private final double span = Math.pow(HOT_KEYS, 1 - ZIPF) - 1;
  private long scanned;
  private long once;
  private int done;

  private RecordedLikeTrace() {}

  static void replay(Replay replay) {
    RecordedLikeTrace trace = new RecordedLikeTrace();
    while (trace.done < LOOKUPS) {
      trace.step(replay);
    }
  }

  private void step(Replay replay) {
    int kind = random.nextInt(1000);
    if (kind < 5) {
      for (int i = 0; i < SCAN_LENGTH; i++) {
        lookUp(replay, SCANNED_FROM + scanned++ % SCANNED_KEYS);
      }
    } else if (kind < 55) {
      lookUp(replay, ONCE_FROM + once++);
    } else if (kind < 85) {
      replay.update(hot());
    } else {
      lookUp(replay, hot());
    }
  }

  private void lookUp(Replay replay, long key) {
    replay.lookUp(key);
    done++;
  }

  /**
   * By inversion of Zipf's law in its continuous form. Neighbours in rank are apart on the disk,
   * and in each phase a quarter of the ranks goes to keys that were cold.
   */
  private long hot() {
    long rank = (long) Math.pow(random.nextDouble() * span + 1, 1 / (1 - ZIPF));
    long generation = (done / PHASE + rank % 4) / 4;
    return generation * HOT_KEYS + rank * 7_919 % HOT_KEYS;
  }
}
