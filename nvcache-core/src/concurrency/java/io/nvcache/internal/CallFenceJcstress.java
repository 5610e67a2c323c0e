// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** {@link FenceJcstress} where the global fence reaches no other thread, and calls fence. */
@JCStressTest
@Outcome(
    id = {"true, true", "true, false", "false, true"},
    expect = Expect.ACCEPTABLE,
    desc = "one saw the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "memory is freed under the call")
@State
public class CallFenceJcstress {
  private final TwoFlags flags = new TwoFlags();

  @Actor
  public void call(ZZ_Result result) {
    flags.begin();
    VarHandle.fullFence();
    result.r1 = flags.isClosed();
  }

  @Actor
  public void close(ZZ_Result result) {
    flags.close();
    VarHandle.fullFence();
    result.r2 = flags.isBegun();
  }
}
