// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Closing against a lookup: memory is freed only when no lookup that found the gate open is inside.
 * The flag stands for the memory. r1: 1 read while it was there; 0 turned away; -1 read when it was
 * freed.
 */
@JCStressTest
@Outcome(
    id = {"0", "1"},
    expect = Expect.ACCEPTABLE,
    desc = "turned away, or in time")
@Outcome(expect = Expect.FORBIDDEN, desc = "read of freed memory")
@State
public class CloseGetJcstress {
  private final StripedCounters counters = new StripedCounters();
  private final CallGate gate = new CallGate(counters);
  private int memory = 1;

  @Actor
  public void lookup(I_Result result) {
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      result.r1 = 0;
      return;
    }
    result.r1 = memory;
    counters.addRelease(stripe, Counter.MISSES, 1);
  }

  @Actor
  public void close() {
    gate.close();
    memory = -1;
  }

  /**
   * The same with a lookup that takes its time, as one on a slow medium does: longer than the fence
   * of a closing thread, which would otherwise hardly ever find it inside.
   */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = Expect.ACCEPTABLE,
      desc = "turned away, or in time")
  @Outcome(expect = Expect.FORBIDDEN, desc = "read of freed memory")
  @State
  public static class SlowGet {
    private static final long READ_NANOS = 300_000;

    private final StripedCounters counters = new StripedCounters();
    private final CallGate gate = new CallGate(counters);
    private int memory = 1;

    @Actor
    public void lookup(I_Result result) {
      int stripe = gate.beginLookup();
      if (stripe == CallGate.SHUT) {
        result.r1 = 0;
        return;
      }
      LockSupport.parkNanos(READ_NANOS);
      result.r1 = memory;
      counters.addRelease(stripe, Counter.MISSES, 1);
    }

    @Actor
    public void close() {
      gate.close();
      memory = -1;
    }
  }
}
