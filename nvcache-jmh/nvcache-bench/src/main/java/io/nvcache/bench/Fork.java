// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.ContenderKind;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.RecordLine;
import io.nvcache.bench.sample.ResidentMemory;
import io.nvcache.memory.OffHeapBytes;
import io.nvcache.report.JsonRecords;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The program of a forked JVM: one cache, so that no other was ever compiled into the same loops or
 * left its garbage behind. Records go to the standard output.
 */
final class Fork {
  private static final int HUNG = 3;
  private static final long GRACE_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private Fork() {}

  /** Runs the plan in the arguments. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) {
    ForkPlan plan = ForkPlan.parse(List.of(arguments));
    endIfHung(plan);
    run(plan, record -> System.out.println(RecordLine.write(record)));
    System.out.flush();
    // Some peers leave threads behind that would keep the JVM running.
    Runtime.getRuntime().halt(0);
  }

  static void run(ForkPlan plan, Consumer<JsonRecords.Entry> out) {
    Emitter emitter = new Emitter(plan.labels(), out);
    switch (plan.task()) {
      case CELLS -> runCells(plan, emitter);
      case LATENCY -> InsertRun.run(plan, emitter);
      case MEMORY -> MemoryProbe.run(plan, emitter);
      case INDEX -> ChainRun.run(plan, emitter);
      case SHADOWS -> ShadowRun.run(plan, emitter);
    }
  }

  private static void runCells(ForkPlan plan, Emitter out) {
    ContenderKind kind = plan.kind();
    // Linux gives the pages between others' first. Copies out of them cost 1/10 more;
    // which of limit and cache had them would be chance. Here neither has.
    long leftoverBytes = (long) plan.blockBytes() * plan.blocks();
    try (OffHeapBytes leftovers = OffHeapBytes.filled(leftoverBytes, Long.BYTES, (byte) 1);
        Limit limit = new Limit(kind.region(), plan.blockBytes(), plan.blocks());
        Contender contender = kind.open(plan.blockBytes(), plan.capacityBlocks())) {
      int[] held = Loader.load(contender, plan.blockBytes(), plan.blocks());
      if (held.length == 0) {
        throw new IllegalStateException("none of " + plan.blocks() + " blocks is there");
      }
      CellRun run = new CellRun(contender, limit, plan, held, out);
      // In the order of the operations: inserts come last, because they evict what the others need.
      plan.cells().stream()
          .sorted((a, b) -> a.operation().compareTo(b.operation()))
          .forEach(run::run);
      out.value("huge_page_share", ResidentMemory.read().hugeShare(), "ratio");
    }
  }

  /** A peer that waits for ever must not stop the comparison. */
  private static void endIfHung(ForkPlan plan) {
    ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "end-if-hung");
              thread.setDaemon(true);
              return thread;
            });
    long limitMillis = GRACE_MILLIS + 3 * plan.millisPerCell() * (1 + plan.cells().size());
    var unused =
        watch.schedule(
            () -> {
              System.err.println("took longer than " + limitMillis / 1000 + " s");
              Runtime.getRuntime().halt(HUNG);
            },
            limitMillis,
            TimeUnit.MILLISECONDS);
  }
}
