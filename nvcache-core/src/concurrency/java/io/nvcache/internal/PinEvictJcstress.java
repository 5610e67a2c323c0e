// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.slots.Extent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A pin against an eviction, at the references of a slab slot: either the pin has the slot and
 * keeps it from being free, or it does not and the slot is free. r1: the pin got it; r2: the
 * eviction freed it; r3: what is left.
 */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "pinned first; the pin holds it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "evicted first; it is free")
@Outcome(expect = Expect.FORBIDDEN, desc = "free and pinned, or lost")
@State
public class PinEvictJcstress {
  private final Extent extent = new Extent(0, 0, 256, 4096);
  private final int slot = extent.take();

  @Actor
  public void pin(III_Result result) {
    result.r1 = extent.retain(slot) ? 1 : 0;
  }

  @Actor
  public void evict(III_Result result) {
    result.r2 = extent.release(slot) ? 1 : 0;
  }

  @Arbiter
  public void left(III_Result result) {
    result.r3 = extent.references(slot);
  }

  /** References counted by a read and a write: both can have it. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "right")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "free and pinned, or lost: caught")
  @State
  public static class Broken {
    private volatile int references = 1;

    @Actor
    public void pin(III_Result result) {
      int seen = references;
      result.r1 = seen > 0 ? 1 : 0;
      StateMemory.linger();
      if (seen > 0) {
        references = seen + 1;
      }
    }

    @Actor
    public void evict(III_Result result) {
      int seen = references;
      StateMemory.linger();
      references = seen - 1;
      result.r2 = seen == 1 ? 1 : 0;
    }

    @Arbiter
    public void left(III_Result result) {
      result.r3 = references;
    }
  }
}
