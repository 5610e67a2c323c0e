// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.PinnedBlock;
import io.nvcache.stats.Counter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A pin against a removal of the block, on a real cache that is full, so that the next block takes
 * the space over at once if it is free. r1: what the pin showed at first, r2: what it shows when
 * all is over; 1 the block's bytes, 2 others, -1 there was no pin.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "pinned, and kept")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "gone before")
@Outcome(expect = Expect.FORBIDDEN, desc = "another block's bytes")
@State
public class PinRemoveJcstress {
  private final HeldBlock block = new HeldBlock();

  @Actor
  public void pin(II_Result result) {
    result.r1 = block.pin();
  }

  @Actor
  public void invalidate() {
    RealCache.invalidate(HeldBlock.FILE, block.offset);
    block.replace();
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = block.close();
  }

  /** The same with an eviction, which must leave a pinned block alone. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "pinned, and kept")
  @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "gone before")
  @Outcome(expect = Expect.FORBIDDEN, desc = "another block's bytes")
  @State
  public static class Eviction {
    private final HeldBlock block = new HeldBlock();
    private final int slot = RealCache.slot(HeldBlock.FILE, block.offset);

    @Actor
    public void pin(II_Result result) {
      result.r1 = block.pin();
    }

    @Actor
    public void evict() {
      if (slot >= 0) {
        RealCache.REMOVER.evict(slot, Counter.EVICTIONS, RealCache.COUNTERS.stripe());
      }
      block.replace();
    }

    @Arbiter
    public void after(II_Result result) {
      result.r2 = block.close();
    }
  }

  /** A block that is cached when the state is made. */
  static final class HeldBlock {
    static final long FILE = 1;

    private static final long NEXT_FILE = 2;
    private static final int NOTHING = -1;

    final long offset = RealCache.nextOffset();
    private PinnedBlock pin;

    HeldBlock() {
      RealCache.put(FILE, offset, value());
    }

    private long value() {
      return offset + 1;
    }

    /** Puts another block in, which takes the space if it can. */
    void replace() {
      RealCache.put(NEXT_FILE, offset, -value());
    }

    int pin() {
      pin = RealCache.pin(FILE, offset);
      return look();
    }

    private int look() {
      if (pin == null) {
        return NOTHING;
      }
      return pin.getLong(0) == value() ? 1 : 2;
    }

    int close() {
      int seen = look();
      if (pin != null) {
        pin.close();
      }
      return seen;
    }
  }
}
