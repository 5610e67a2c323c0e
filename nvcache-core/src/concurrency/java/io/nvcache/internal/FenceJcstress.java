// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.gate.GlobalFence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The two sides of closing: a call counts its begin and then asks whether the cache is closed; the
 * closing thread sets that flag, passes the global fence and then looks for calls. One of them must
 * see the other. r1: whether the call saw the flag, r2: whether the closing thread saw the call.
 */
@JCStressTest
@Outcome(
    id = {"true, true", "true, false", "false, true"},
    expect = Expect.ACCEPTABLE,
    desc = "one saw the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "memory is freed under the call")
@State
public class FenceJcstress {
  private final TwoFlags flags = new TwoFlags();

  @Actor
  public void call(ZZ_Result result) {
    flags.begin();
    GlobalFence.meet();
    result.r1 = flags.isClosed();
  }

  @Actor
  public void close(ZZ_Result result) {
    flags.close();
    GlobalFence.pass();
    result.r2 = flags.isBegun();
  }

  /** The same with a fence on the closing thread alone. */
  @JCStressTest
  @Outcome(
      id = {"true, true", "true, false", "false, true"},
      expect = Expect.ACCEPTABLE,
      desc = "one saw the other")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "memory is freed under the call: caught")
  @State
  public static class Broken {
    private final TwoFlags flags = new TwoFlags();

    @Actor
    public void call(ZZ_Result result) {
      flags.begin();
      result.r1 = flags.isClosed();
    }

    @Actor
    public void close(ZZ_Result result) {
      flags.close();
      result.r2 = flags.isBegun();
    }
  }
}
