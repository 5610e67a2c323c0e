// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.PinnedBlock;
import io.nvcache.internal.read.MediumHandle;
import io.nvcache.internal.read.MemoryPin;
import io.nvcache.internal.slots.SlabAllocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A pin that one thread reads while another one closes it and then reads it too late, neither of
 * them the one that pinned the block. r1, r2: whether they were let in; r3: what is left of the
 * space's two references when all is over, the index's own and the pin's. The late reader is the
 * closing thread, so that two processors are enough for all three.
 */
@JCStressTest
@Outcome(
    id = {"0, 0, 1", "1, 0, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "given back once")
@Outcome(expect = Expect.FORBIDDEN, desc = "let in too late, kept for good, or given back twice")
@State
public class PinCloseJcstress {
  private static final MediumHandle MEDIUM = new MediumHandle(RealCache.TABLES.space().medium());

  private final SlabAllocator allocator = RealCache.ALLOCATOR;
  private final long location = RealCache.space();
  private final PinnedBlock pin;

  public PinCloseJcstress() {
    allocator.pin(location);
    this.pin =
        new MemoryPin(
            RealCache.PINS,
            MEDIUM,
            location,
            RealCache.TABLES.space().address(location),
            RealCache.LENGTH,
            RealCache.FOREIGN_STRIPE);
  }

  private int letIn() {
    try {
      pin.getLong(0);
      return 1;
    } catch (IllegalStateException closed) {
      return 0;
    }
  }

  @Actor
  public void read(III_Result result) {
    result.r1 = letIn();
  }

  @Actor
  public void closeAndRead(III_Result result) {
    pin.close();
    result.r2 = letIn();
  }

  @Arbiter
  public void left(III_Result result) {
    result.r3 = allocator.references(location);
    for (int left = result.r3; left > 0 && left < 3; left--) {
      allocator.release(location);
    }
  }
}
