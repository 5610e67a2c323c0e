// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Loads whose popular blocks are not the same for long: time series, queues, logs that are read
 * back, the newest day of a table, and what comes between stable ones. No block is freed: a cache
 * has to find out by itself which are dead.
 */
final class MovingLoads {
  /** The part of the reads that go to the hot set before the others, in {@link #hotThenFlat}. */
  private static final int PART_OF_HOT_SET = 4;

  /** Of the blocks, the part that makes a burst. */
  private static final int PART_OF_BURST = 16;

  /** Of the blocks, the part that one scan reads. */
  private static final int PART_OF_SCAN = 4;

  private final SyntheticSpec spec;
  private final SplittableRandom random;
  private final LongConsumer reads;

  MovingLoads(SyntheticSpec spec, SplittableRandom random, LongConsumer reads) {
    this.spec = spec;
    this.random = random;
    this.reads = reads;
  }

  /** Even reads of a window that slides by one block every so many lookups. */
  void drift() {
    for (long i = 0; i < spec.reads(); i++) {
      reads.accept(i / spec.lookups() + random.nextLong(spec.blocks()));
    }
  }

  /** Even reads of a set that is another one in each phase. */
  void shift() {
    for (long i = 0; i < spec.reads(); i++) {
      long phase = i * spec.phases() / spec.reads();
      reads.accept(phase * spec.blocks() + random.nextLong(spec.blocks()));
    }
  }

  /** Even reads of a set, then of many more blocks that are read as often as each other. */
  void hotThenFlat() {
    for (long i = 0; i < spec.reads(); i++) {
      reads.accept(
          i < spec.reads() / PART_OF_HOT_SET
              ? random.nextLong(spec.blocks())
              : spec.blocks() + random.nextLong(spec.blocks() * spec.spread()));
    }
  }

  /** Each block is read so many times in all, soon after it came, and never again. */
  void recent() {
    PriorityQueue<Turn> turns = new PriorityQueue<>();
    long newest = 0;
    for (long i = 0; i < spec.reads(); i++) {
      Turn next = turns.peek();
      if (next != null && next.at <= i) {
        reads.accept(turns.remove().block);
        continue;
      }
      for (long again = 1; again < spec.lookups(); again++) {
        turns.add(new Turn(i + 1 + random.nextLong(spec.blocks() * spec.lookups()), newest));
      }
      reads.accept(newest++);
    }
  }

  private record Turn(long at, long block) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      return at == other.at ? Long.compare(block, other.block) : Long.compare(at, other.at);
    }
  }

  /** Reads of a stable load, and now and then of some new blocks, so many times each. */
  void bursts(LongSupplier stable) {
    long size = Math.max(1, spec.blocks() / PART_OF_BURST);
    long newest = spec.blocks();
    for (long i = 0; i < spec.reads(); ) {
      for (long quiet = 0; quiet < 2 * spec.blocks() && i < spec.reads(); quiet++, i++) {
        reads.accept(stable.getAsLong());
      }
      for (long k = 0; k < size * spec.lookups() && i < spec.reads(); k++, i++) {
        reads.accept(newest + random.nextLong(size));
      }
      newest += size;
    }
  }

  /** Reads of a stable load, and scans of blocks that are read once. */
  void scans(LongSupplier stable) {
    long length = Math.max(1, spec.blocks() / PART_OF_SCAN);
    long between = (long) (length * (1 - spec.scans()) / Math.max(1e-3, spec.scans()));
    long newest = spec.blocks();
    for (long i = 0; i < spec.reads(); ) {
      for (long k = 0; k < between && i < spec.reads(); k++, i++) {
        reads.accept(stable.getAsLong());
      }
      for (long k = 0; k < length && i < spec.reads(); k++, i++) {
        reads.accept(newest++);
      }
    }
  }
}
