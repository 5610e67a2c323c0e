// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Where a run is: a line for each fork says what it does, and how long the rest will take by what
 * was taken so far. A run that must end by a time measures each cell for shorter once the rest
 * would take longer than it may.
 */
final class RunProgress {
  /** What a fork takes besides its cells: starting and filling, in cells. */
  private static final double FILLING = 3;

  /** What the tasks that have no cells take, in cells. */
  private static final double WITHOUT_CELLS = 10;

  /** Below it the pairs are too few for quartiles. */
  private static final long LEAST_MILLIS_PER_CELL = 100;

  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final long start;
  private final long limitNanos;
  private final int forks;
  private final double totalWork;
  private double doneWork;
  private double currentWork;
  private int begun;

  /**
   * Begins a run.
   *
   * @param limitNanos what it may take; {@link Long#MAX_VALUE} without a limit
   */
  RunProgress(
      PrintWriter err,
      List<Jdk> jdks,
      List<ForkPlan> plans,
      long limitNanos,
      LongSupplier nanoTime) {
    this.err = err;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.limitNanos = limitNanos;
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

  /** Returns a plan that has begun with the time for each cell that is left for it. */
  ForkPlan paced(ForkPlan plan) {
    double needed = nanosToGo();
    if (needed <= leftNanos()) {
      return plan;
    }
    long millis = (long) (plan.millisPerCell() * leftNanos() / needed);
    return plan.withMillisPerCell(
        Math.min(plan.millisPerCell(), Math.max(LEAST_MILLIS_PER_CELL, millis)));
  }

  /** Returns what is left of the time. */
  long leftNanos() {
    return Math.max(0, limitNanos - (nanoTime.getAsLong() - start));
  }

  /** Returns what the rest takes, the fork that has begun included; 0 while nothing is known. */
  private double nanosToGo() {
    return doneWork == 0 ? 0 : (nanoTime.getAsLong() - start) / doneWork * (totalWork - doneWork);
  }

  private String remaining() {
    if (doneWork == 0) {
      return "";
    }
    long nanos = (long) Math.min(nanosToGo(), (double) leftNanos());
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
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
