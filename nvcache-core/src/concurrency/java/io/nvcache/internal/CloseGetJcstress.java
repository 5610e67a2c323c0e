// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
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
    counters.add(stripe, Counter.MISSES, 1);
  }

  @Actor
  public void close() {
    gate.close();
    memory = -1;
  }

  /** Without waiting for who is inside. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = Expect.ACCEPTABLE,
      desc = "turned away, or in time")
  @Outcome(id = "-1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "read of freed memory: caught")
  @State
  public static class Broken {
    private volatile boolean closed;
    private int memory = 1;

    @Actor
    public void lookup(I_Result result) {
      result.r1 = closed ? 0 : memory;
    }

    @Actor
    public void close() {
      memory = -1;
      StateMemory.linger();
      closed = true;
    }
  }
}
