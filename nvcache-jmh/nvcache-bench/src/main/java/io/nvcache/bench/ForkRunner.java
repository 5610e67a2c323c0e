// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.sample.RecordLine;
import io.nvcache.report.JsonRecords;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs plans in forked JVMs with this one's flags, their cache's own, and a heap that fits. */
final class ForkRunner {
  private static final long BASE_HEAP_BYTES = 1L << 30;
  private static final long YOUNG_BYTES = 256L << 20;
  private static final int TAIL_LINES = 12;

  private final Jdk jdk;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(ForkRunner::daemon);

  private @Nullable Process running;

  /** Runs forks on a JDK. */
  ForkRunner(Jdk jdk) {
    this.jdk = jdk;
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "bench-time");
    thread.setDaemon(true);
    return thread;
  }

  private synchronized void stop() {
    if (running != null) {
      running.destroyForcibly();
    }
  }

  private synchronized void started(Process process) {
    running = process;
  }

  /**
   * Runs a plan to its end, or until its time is over.
   *
   * @param nanos how long it may take at most
   * @param out gets the records as they come
   * @return what went wrong, or null
   */
  @Nullable String run(ForkPlan plan, long nanos, Consumer<JsonRecords.Entry> out)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command(plan)).redirectErrorStream(true);
    builder.environment().putAll(plan.pages().environment());
    Process process = builder.start();
    started(process);
    process.getOutputStream().close();
    AtomicBoolean isOver = new AtomicBoolean();
    Future<?> end =
        timer.schedule(
            () -> {
              isOver.set(true);
              process.destroyForcibly();
            },
            nanos,
            TimeUnit.NANOSECONDS);
    Deque<String> tail = new ArrayDeque<>();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonRecords.Entry record = RecordLine.read(line);
        if (record != null) {
          out.accept(record);
        } else if (tail.size() < TAIL_LINES || line.startsWith("Caused by")) {
          tail.add(line);
        }
      }
    }
    int status = process.waitFor();
    end.cancel(false);
    if (isOver.get()) {
      return "ended before its end: the time of --minutes was over";
    }
    return status == 0 ? null : "exit status " + status + "\n  " + String.join("\n  ", tail);
  }

  private List<String> command(ForkPlan plan) {
    List<String> command = new ArrayList<>();
    command.add(jdk.java());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (isForForks(flag)) {
        command.add(flag);
      }
    }
    command.addAll(jdk.flags());
    command.addAll(plan.pages().flags());
    command.addAll(plan.kind().flags());
    long heapBytes = heapBytes(plan);
    command.add("-Xmx" + heapBytes);
    command.add("-XX:MaxDirectMemorySize=" + directBytes(plan));
    if (plan.task() == ForkPlan.Task.MEMORY) {
      command.add("-Xms" + heapBytes);
      command.add("-XX:+AlwaysPreTouch");
      // Else the larger heaps of some caches would be collected less often.
      command.add("-Xmn" + YOUNG_BYTES);
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Fork.class.getName());
    command.addAll(plan.toArguments());
    return command;
  }

  /** Memory is given by the plan, and agents (debuggers, coverage) would be measured too. */
  private static boolean isForForks(String flag) {
    return !Jdk.isOfSomeVersions(flag)
        && !flag.startsWith("-Xm")
        && !flag.startsWith("-XX:MaxDirectMemorySize")
        && !flag.startsWith("-agentlib")
        && !flag.startsWith("-javaagent");
  }

  /**
   * On the heap, twice the blocks: what the collector needs to keep up with evictions. Where none
   * are evicted but the whole heap is touched, half as much more than the blocks.
   */
  private static long heapBytes(ForkPlan plan) {
    long blockBytes = (long) plan.capacityBlocks() * plan.blockBytes();
    if (!plan.kind().isOnHeap()) {
      return BASE_HEAP_BYTES + blockBytes / 4;
    }
    return BASE_HEAP_BYTES
        + (plan.task() == ForkPlan.Task.MEMORY ? blockBytes * 3 / 2 : 2 * blockBytes);
  }

  /** The blocks, and as much again for tables and rounding where blocks are small. */
  private static long directBytes(ForkPlan plan) {
    return BASE_HEAP_BYTES + 2L * plan.capacityBlocks() * plan.blockBytes();
  }
}
