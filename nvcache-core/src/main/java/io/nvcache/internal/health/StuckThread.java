// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.background.Whereabouts;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.read.BlockReads;
import io.nvcache.internal.regions.RegionSpace;
import io.nvcache.internal.slots.PoisonedSpace;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.tune.MediumProbe;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A thread whose call does not end, and what it is waiting for, as far as its stack shows it: the
 * innermost frame of the engine is in the class that asks the medium, or in one that asks a policy,
 * or in neither.
 */
record StuckThread(Cause cause, String name, List<StackTraceElement> stack, int engineFrame) {
  /** Where a call hangs, the most telling first. */
  enum Cause {
    POLICY("calls do not end: a policy does not return"),
    MEDIUM("the medium hangs"),
    ENGINE("calls do not end");

    private final String words;

    Cause(String words) {
      this.words = words;
    }
  }

  /** The package of the engine, and of all packages below it. */
  private static final String ENGINE_PACKAGE = "io.nvcache.internal.";

  private static final Set<String> ASK_POLICIES =
      Set.of(GuardedAdmission.class.getName(), GuardedEviction.class.getName());
  private static final Set<String> ASK_THE_MEDIUM =
      Set.of(
          MediumSpace.class.getName(),
          BlockReads.class.getName(),
          MediumProbe.class.getName(),
          PoisonedSpace.class.getName(),
          RegionSpace.class.getName(),
          MediumMonitor.class.getName());
  private static final int MOST_FRAMES = 64;

  /** Returns whether the thread runs a call of the engine now. */
  static boolean isInEngine(Thread thread) {
    StuckThread seen = of(thread);
    return seen.engineFrame < seen.stack.size();
  }

  static StuckThread of(Thread thread) {
    List<StackTraceElement> stack = List.of(thread.getStackTrace());
    int frame = 0;
    while (frame < stack.size() && !stack.get(frame).getClassName().startsWith(ENGINE_PACKAGE)) {
      frame++;
    }
    String asking = frame < stack.size() ? stack.get(frame).getClassName() : "";
    Cause cause =
        ASK_POLICIES.contains(asking)
            ? Cause.POLICY
            : ASK_THE_MEDIUM.contains(asking) ? Cause.MEDIUM : Cause.ENGINE;
    return new StuckThread(cause, thread.getName(), stack, frame);
  }

  /** Returns words with the method that the engine called last and the one that runs. */
  String describe() {
    if (stack.isEmpty()) {
      return cause.words;
    }
    String inside =
        Whereabouts.line(stack.get(Math.max(0, Math.min(engineFrame, stack.size()) - 1)));
    String innermost = Whereabouts.line(stack.get(0));
    return cause.words
        + "; the thread "
        + name
        + " is in "
        + inside
        + (inside.equals(innermost) ? "" : ", at " + innermost);
  }

  /** Returns the stack, a line for each frame, to be logged. */
  String trace() {
    return stack.stream()
        .limit(MOST_FRAMES)
        .map(frame -> "\n\tat " + Whereabouts.line(frame))
        .collect(Collectors.joining());
  }
}
