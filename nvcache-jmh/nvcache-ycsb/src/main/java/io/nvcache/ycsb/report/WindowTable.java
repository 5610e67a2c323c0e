// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.report.Figures;
import io.nvcache.report.ResultTable;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.StoreCall;
import io.nvcache.ycsb.Window;
import io.nvcache.ycsb.WorkloadResult;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows from window to window of one workload what merging files costs each policy. */
public final class WindowTable {
  private WindowTable() {}

  /** Returns a line for each window; empty if there are none in which files were merged. */
  public static Optional<ResultTable> of(WorkloadResult workload) {
    if (!workload.hasWindowsWithCompactions()) {
      return Optional.empty();
    }
    StoreCall timed = YcsbTable.timedOperation(workload);
    List<String> header = new ArrayList<>(List.of("window", "compactions"));
    Map<Integer, List<String>> rows = new TreeMap<>();
    for (int number = 1; number <= windows(workload); number++) {
      rows.put(number, new ArrayList<>(List.of("" + number, compactions(workload, number))));
    }
    for (PolicyResult policy : workload.policies()) {
      header.addAll(List.of(policy.policy().label() + " hits", "disk reads", "p99"));
      Map<Integer, Window> windows =
          policy.windows().stream().collect(Collectors.toMap(Window::number, window -> window));
      rows.forEach((number, row) -> row.addAll(cells(windows.get(number), timed)));
    }
    String title =
        "YCSB "
            + workload.workload()
            + " on "
            + workload.medium().title()
            + " · the measured part from window to window";
    return Optional.of(new ResultTable(title, header, List.copyOf(rows.values())));
  }

  private static int windows(WorkloadResult workload) {
    return workload.policies().stream().mapToInt(policy -> policy.windows().size()).max().orElse(0);
  }

  private static List<String> cells(@Nullable Window window, StoreCall timed) {
    return window == null
        ? List.of(Figures.UNKNOWN, Figures.UNKNOWN, Figures.UNKNOWN)
        : List.of(
            Figures.percent(window.counters().hitRatio()),
            Figures.count(window.counters().diskReads()),
            Figures.micros(window.latencyMicros(timed, 99)));
  }

  /** How many a window has, which may differ between policies that are limited by the clock. */
  private static String compactions(WorkloadResult workload, int number) {
    IntSummaryStatistics counts =
        workload.policies().stream()
            .flatMap(policy -> policy.windows().stream())
            .filter(window -> window.number() == number)
            .mapToInt(window -> (int) window.counters().compactions())
            .summaryStatistics();
    return counts.getMin() == counts.getMax()
        ? "" + counts.getMax()
        : counts.getMin() + "–" + counts.getMax();
  }

  /** Returns the windows in which files were merged, in words. */
  static String withCompactions(WorkloadResult workload) {
    List<Integer> numbers =
        workload.policies().stream()
            .flatMap(policy -> policy.windows().stream())
            .filter(window -> window.counters().compactions() > 0)
            .map(Window::number)
            .distinct()
            .sorted()
            .toList();
    return numbers.size() == windows(workload)
        ? "all of them"
        : numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
