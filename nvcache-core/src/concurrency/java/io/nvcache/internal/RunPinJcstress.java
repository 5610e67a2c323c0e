// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.slots.RunAllocator;
import io.nvcache.internal.space.Sizing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A pin against an eviction, at a slot of a small medium: the pin is counted and then asks
 * whether the block is still there, the eviction takes the block out and then asks for the count.
 * r1: what the pin found, 0 no block, 1 a block in a slot that is taken, 2 in one that is free;
 * r2: whether the slot is taken when both are done; r3: the same once the pin has ended, too.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "pinned, and kept until the end")
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "evicted first; it is free")
@Outcome(expect = Expect.FORBIDDEN, desc = "free and pinned, or kept for good")
@State
public class RunPinJcstress {
  private static final int LENGTH = 256;
  private static final Sizing SIZING =
      Sizing.of(Sizing.Cut.RUNS, 8 * LENGTH, LENGTH, LENGTH, LENGTH);
  private static final VarHandle PRESENT;

  static {
    try {
      PRESENT =
          MethodHandles.lookup().findVarHandle(RunPinJcstress.class, "present", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RunAllocator allocator = new RunAllocator(SIZING);
  private final long location = allocator.allocate(LENGTH);

  /** Stands for the index, which is no better ordered than this. */
  private boolean present = true;

  @Actor
  public void pin(III_Result result) {
    allocator.pin(location);
    if ((boolean) PRESENT.getAcquire(this)) {
      result.r1 = allocator.isTaken(location) ? 1 : 2;
    } else {
      allocator.unpin(location);
    }
  }

  @Actor
  public void evict() {
    PRESENT.setRelease(this, false);
    allocator.release(location);
  }

  @Arbiter
  public void left(III_Result result) {
    result.r2 = allocator.isTaken(location) ? 1 : 0;
    if (result.r1 != 0) {
      allocator.unpin(location);
    }
    result.r3 = allocator.isTaken(location) ? 1 : 0;
  }
}
