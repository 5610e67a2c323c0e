// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/**
 * Finds out what blocks are worth that were missed once, once more a short while after, or more
 * often over a long time: the lookups of a few of each kind are counted for two capacities of
 * lookups, or until they are admitted; they all miss. Where popularity moves, a block that was
 * missed for the first time is looked up soon and often; where it is stable, hardly ever.
 *
 * <p>Most of those on trial were refused anyway. One in {@value #KEPT_OUT} that may be admitted is
 * kept out for its trial: otherwise it would go unnoticed when such blocks are worth nothing any
 * more.
 *
 * <p><b>Guarantees.</b> Fixed memory, about 24 bytes a place. Changes are made under the object's
 * lock, for trials are few; whether a block is on trial is first asked without it.
 */
final class MissTrials {
  /** The kinds. */
  static final int FIRST = 0;

  static final int SOON_AGAIN = 1;
  static final int NOW_AND_THEN = 2;

  static final int CAPACITIES_PER_TRIAL = 2;

  private static final int KINDS = 3;
  private static final int PLACES = 512;
  private static final int MOST_ON_TRIAL = 128;
  private static final int LEAST_ON_TRIAL = 16;
  private static final int BLOCKS_PER_TRIAL = 64;
  private static final int POLLED_AT_ONCE = 16;

  /** One in this many refused blocks is put on trial if there is a place. */
  private static final int REFUSED = 8;

  private static final int KEPT_OUT = 128;

  /** The most trials that each forecast is from. */
  private static final double MEMORY = 128;

  /** And how many of a lookup each are taken for granted at first. */
  private static final double GRANTED = 4;

  private final double lookupsPerTrial;
  private final int most;
  private final long[] blocks = new long[PLACES];
  private final long[] ends = new long[PLACES];
  private final long[] lookedAt = new long[PLACES];
  private final byte[] kinds = new byte[PLACES];
  private final boolean[] keptOut = new boolean[PLACES];

  /** Looked up since the trial began. */
  private final boolean[] again = new boolean[PLACES];

  private final int[] running = new int[KINDS];
  private final double[] lookups = {GRANTED, GRANTED, GRANTED};

  /** The time for which blocks were on trial, in whole trials. */
  private final double[] time = {GRANTED, GRANTED, GRANTED};

  /** Trials of blocks that were looked up again, and of those that were not. */
  private final double[] returned = {GRANTED, GRANTED, GRANTED};

  private final double[] gone = {GRANTED, GRANTED, GRANTED};

  private int hand;

  MissTrials(long capacityBlocks) {
    this.lookupsPerTrial = CAPACITIES_PER_TRIAL * (double) Math.max(1, capacityBlocks);
    this.most =
        (int) Math.max(LEAST_ON_TRIAL, Math.min(MOST_ON_TRIAL, capacityBlocks / BLOCKS_PER_TRIAL));
  }

  static int kind(int count, boolean recently) {
    return count <= 1 ? FIRST : recently ? SOON_AGAIN : NOW_AND_THEN;
  }

  /**
   * Returns how often a block of this kind is looked up in the time of a trial, on average. Who
   * waits for the second miss of a block that was missed for the first time loses one hit if it
   * comes, and is spared a write if it does not: that is what the first miss is worth at most.
   */
  double forecast(int kind) {
    double mean = lookups[kind] / time[kind];
    return kind == FIRST ? Math.min(mean, returned[kind] / gone[kind]) : mean;
  }

  /** Counts a lookup of the block if it is on trial, and returns whether it is kept out for it. */
  boolean ask(long hash, long now) {
    int place = place(hash);
    return blocks[place] == hash && count(place, hash, now);
  }

  private synchronized boolean count(int place, long hash, long now) {
    if (blocks[place] != hash || now >= ends[place]) {
      return false;
    }
    lookups[kinds[place]]++;
    if (!again[place]) {
      again[place] = true;
      returned[kinds[place]]++;
    }
    return keptOut[place];
  }

  /** Returns whether the block is kept out, and counts nothing. */
  boolean isKeptOut(long hash, long now) {
    int place = place(hash);
    return blocks[place] == hash && now < ends[place] && keptOut[place];
  }

  /** Notes that a block was admitted. */
  void admitted(long hash, long now) {
    int place = place(hash);
    if (blocks[place] == hash) {
      end(place, hash, now);
    }
  }

  private synchronized void end(int place, long hash, long now) {
    if (blocks[place] == hash) {
      pass(place, now);
      blocks[place] = 0;
      running[kinds[place]]--;
    }
  }

  /** Returns whether a block that would be admitted is to be kept out. */
  boolean keepsOut(long hash, int kind, long now) {
    return isDrawn(hash, now, KEPT_OUT) && start(hash, kind, now) && keep(hash);
  }

  /** Notes that a block was refused. */
  void refused(long hash, int kind, long now) {
    if (isDrawn(hash, now, REFUSED)) {
      start(hash, kind, now);
    }
  }

  /** At another time, other blocks. */
  private static boolean isDrawn(long hash, long now, int outOf) {
    return (DemandSketch.mix(hash ^ now) & (outOf - 1)) == 0;
  }

  private synchronized boolean keep(long hash) {
    keptOut[place(hash)] = true;
    return true;
  }

  private synchronized boolean start(long hash, int kind, long now) {
    int place = place(hash);
    if (running[kind] >= most || blocks[place] != 0) {
      return false;
    }
    blocks[place] = hash;
    kinds[place] = (byte) kind;
    keptOut[place] = false;
    again[place] = false;
    ends[place] = now + (long) lookupsPerTrial;
    lookedAt[place] = now;
    running[kind]++;
    return true;
  }

  /** Lets time pass. */
  synchronized void advance(long now) {
    for (int i = 0; i < POLLED_AT_ONCE; i++) {
      int place = hand++ & (PLACES - 1);
      if (blocks[place] != 0) {
        pass(place, now);
        if (now >= ends[place]) {
          blocks[place] = 0;
          running[kinds[place]]--;
          missed(place);
        }
      }
    }
  }

  /** Notes that a trial ended, with or without a lookup. */
  private void missed(int place) {
    int kind = kinds[place];
    gone[kind] += again[place] ? 0 : 1;
    if (returned[kind] + gone[kind] > MEMORY) {
      returned[kind] /= 2;
      gone[kind] /= 2;
    }
  }

  private void pass(int place, long now) {
    int kind = kinds[place];
    time[kind] += Math.max(0, Math.min(now, ends[place]) - lookedAt[place]) / lookupsPerTrial;
    lookedAt[place] = now;
    if (time[kind] > MEMORY) {
      time[kind] /= 2;
      lookups[kind] /= 2;
    }
  }

  private static int place(long hash) {
    return (int) (DemandSketch.mix(hash) >>> 1) & (PLACES - 1);
  }
}
