// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;

/**
 * Finds out what blocks are worth that no lookup has asked for yet, those that come with a flush, a
 * compaction, a prefetch or a scan: a few of each source are kept out for a while, on trial, and
 * their lookups counted, later scans included. All are misses, therefore all are seen.
 *
 * <p>A sixteenth of a source's blocks, chosen by hash and time, may start a trial, if the place is
 * free that its hash gives it among the source's {@value #PLACES}. A trial lasts two capacities of
 * lookups; it is closed when its place is wanted again. The mean of a source's closed trials
 * forgets: each counts for 1/256, or for its share among the first. (With 1/64, where blocks are
 * rarely read but some of them often, chance decided whether fresh blocks looked better than
 * others.)
 *
 * <p><b>Guarantees.</b> Fixed memory, about 24 bytes a place. Changes are made under the object's
 * lock, for trials are few; whether a block is on trial is first asked without it.
 */
final class SourceProbation {
  private static final int PLACES = 256;
  private static final int SOURCES = 4;

  /** One block in so many may start a trial. */
  private static final int SAMPLED = 16;

  private static final int CAPACITIES_PER_TRIAL = 2;
  private static final int MEMORY = PLACES;

  private final long lookupsPerTrial;
  private final long[] blocks = new long[SOURCES * PLACES];
  private final long[] ends = new long[SOURCES * PLACES];
  private final int[] asked = new int[SOURCES * PLACES];
  private final int[] closed = new int[SOURCES];
  private final double[] means = new double[SOURCES];

  SourceProbation(long capacityBlocks) {
    this.lookupsPerTrial = CAPACITIES_PER_TRIAL * Math.max(1, capacityBlocks);
  }

  /** Returns how often a block of this source was asked for in the time of a trial, on average. */
  double meanAsked(Source source) {
    return means[ordinal(source)];
  }

  /** Returns how much longer a count of the sketch looks back than a trial does. */
  static double sketchSpan() {
    return (double) DemandSketch.CAPACITIES_PER_HALVING / CAPACITIES_PER_TRIAL;
  }

  /** Counts a lookup of the block if it is on trial, and returns whether it is. */
  boolean ask(long hash, long now) {
    boolean onTrial = false;
    for (int place = place(hash); place < blocks.length; place += PLACES) {
      onTrial |= isOnTrial(place, hash, now) && count(place, hash);
    }
    return onTrial;
  }

  /** Returns whether the block is on trial, and counts nothing. */
  boolean isTried(long hash, long now) {
    boolean onTrial = false;
    for (int place = place(hash); place < blocks.length; place += PLACES) {
      onTrial |= isOnTrial(place, hash, now);
    }
    return onTrial;
  }

  private synchronized boolean count(int place, long hash) {
    if (blocks[place] == hash) {
      asked[place]++;
      return true;
    }
    return false;
  }

  /** Tells whether the block is on trial, which may start just now. */
  boolean isOnTrial(Source source, long hash, long now) {
    int place = ordinal(source) * PLACES + place(hash);
    boolean free = ends[place] <= now;
    return isOnTrial(place, hash, now) || (free && isSampled(hash, now) && start(place, hash, now));
  }

  private boolean isOnTrial(int place, long hash, long now) {
    return blocks[place] == hash && now < ends[place];
  }

  /** In another time, other blocks. */
  private boolean isSampled(long hash, long now) {
    return Long.remainderUnsigned(DemandSketch.mix(hash + now / lookupsPerTrial), SAMPLED) == 0;
  }

  private synchronized boolean start(int place, long hash, long now) {
    if (ends[place] > now) {
      return false; // Another thread was faster.
    }
    if (ends[place] > 0) {
      close(place);
    }
    blocks[place] = hash;
    asked[place] = 0;
    ends[place] = now + lookupsPerTrial;
    return true;
  }

  private void close(int place) {
    int source = place / PLACES;
    closed[source] = Math.min(closed[source] + 1, MEMORY);
    means[source] += (asked[place] - means[source]) / closed[source];
  }

  private static int place(long hash) {
    return (int) (DemandSketch.mix(hash) >>> 1) & (PLACES - 1);
  }

  private static int ordinal(Source source) {
    return switch (source) {
      case FLUSH -> 0;
      case COMPACTION -> 1;
      case PREFETCH -> 2;
      case SCAN -> 3;
      case READ -> throw new IllegalArgumentException("a block that is asked for needs no trial");
    };
  }
}
