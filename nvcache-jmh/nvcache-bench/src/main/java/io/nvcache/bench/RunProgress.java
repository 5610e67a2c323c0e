// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** A line for each fork: what it does, and how long the rest will take by what was taken so far. */
final class RunProgress {
  /** What a fork takes besides its cells: starting and filling, in cells. */
  private static final double FILLING = 3;

  /** What the tasks that have no cells take, in cells. */
  private static final double WITHOUT_CELLS = 10;

  private final PrintWriter err;
  private final long start = System.nanoTime();
  private final int forks;
  private final double totalWork;
  private double doneWork;
  private double currentWork;
  private int begun;

  RunProgress(PrintWriter err, List<Jdk> jdks, List<ForkPlan> plans) {
    this.err = err;
    this.forks = jdks.size() * plans.size();
    this.totalWork = jdks.size() * plans.stream().mapToDouble(RunProgress::work).sum();
  }

  private static double work(ForkPlan plan) {
    return FILLING + (plan.cells().isEmpty() ? WITHOUT_CELLS : plan.cells().size());
  }

  /** Tells that a fork begins; what it is about. */
  String begin(Jdk jdk, ForkPlan plan) {
    String what = describe(jdk, plan);
    doneWork += currentWork;
    currentWork = work(plan);
    begun++;
    err.println("[" + begun + "/" + forks + "] " + what + remaining());
    err.flush();
    return what;
  }

  private String remaining() {
    if (doneWork == 0) {
      return "";
    }
    double nanos = (System.nanoTime() - start) / doneWork * (totalWork - doneWork);
    long seconds = Duration.ofNanos((long) nanos).toSeconds();
    return seconds < 60 ? "; under a minute left" : "; about " + (seconds + 30) / 60 + " min left";
  }

  private static String describe(Jdk jdk, ForkPlan plan) {
    String task =
        switch (plan.task()) {
          case CELLS -> plan.cells().size() + " cells";
          case LATENCY -> "inserts one by one";
          case MEMORY -> "memory and collections";
          case INDEX -> "chains of lookups";
          case SHADOWS -> "hits with shadows";
        };
    String pages = plan.pages() == HugePages.ON ? ", huge pages" : "";
    return String.join(
            ", ",
            plan.kind().label(),
            "JDK " + jdk.feature(),
            plan.blocks() + " blocks of " + plan.blockBytes() + " bytes",
            task)
        + pages;
  }
}
