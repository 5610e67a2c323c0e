// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import static io.nvcache.bench.report.PerformanceReport.NVCACHE;
import static io.nvcache.bench.report.PerformanceReport.RATIO;
import static io.nvcache.bench.report.PerformanceReport.withQuartiles;
import static io.nvcache.report.Figures.number;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.report.MarkdownTable;
import io.nvcache.report.Measurements;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the project set out to reach, and what one run says of it, the goals that were missed among
 * them. A goal that the run did not measure is left out.
 */
final class Goals {
  /** What caches are compared in, in the order of reports. */
  static final List<String> OPERATIONS =
      List.of("hit_copy", "hit_touch", "miss", "miss_file", "insert", "replace");

  private static final List<String> CELL = List.of("op", "blockBytes", "buffer", "dist", "threads");

  /** What must not be exceeded is compared as it is shown: ratios in two decimals. */
  private static final double SHOWN = 0.005;

  /** Bytes in one. */
  private static final double SHOWN_IN_BYTES = 0.05;

  /** By so much may a newer JDK be slower. */
  private static final double JDK_SLACK = 1.05;

  /** The index of so many entries holds a few less. */
  private static final double ENTRIES_SLACK = 0.05;

  private final Measurements all;
  private final Measurements records;
  private final Measurements nvcache;
  private final MarkdownTable table = new MarkdownTable(List.of("goal", "at most", "measured", ""));

  /**
   * Compares.
   *
   * @param all of a run
   * @param records those on the first JDK, with nothing said about pages
   */
  Goals(Measurements all, Measurements records) {
    this.all = all;
    this.records = records;
    this.nvcache = records.where("impl", NVCACHE);
    cell("hit that copies, 4 KiB", "hit_copy", "4096", "1", 1.35);
    cell("hit that copies, 16 KiB", "hit_copy", "16384", "1", 1.12);
    cell("hit that copies, 16 KiB, 2 threads", "hit_copy", "16384", "2", 1.12);
    cell("hit that copies, 64 KiB", "hit_copy", "65536", "1", 1.05);
    cell("hit in place, 16 KiB", "hit_touch", "16384", "1", 3.5);
    cell("insert, 16 KiB", "insert", "16384", "1", 1.0);
    cell("replacing, 16 KiB", "replace", "16384", "1", 1.2);
    for (int millions : new int[] {10, 50, 100}) {
      index(millions);
    }
    garbage();
    bytes("DRAM for index and allocator, B a block", "metadata_bytes_per_block", 20);
    bytes("with the default policies", "default_policy_metadata_bytes_per_block", 36);
    pauses();
    jdks();
  }

  @Override
  public String toString() {
    return (table + "\n\n" + quickerPeers()).strip();
  }

  private void add(String goal, String most, String measured, boolean met) {
    table.add(List.of(goal, most, measured, met ? "met" : "**missed**"));
  }

  private void cell(String goal, String operation, String bytes, String threads, double most) {
    String buffer = operation.startsWith("hit") ? "heap" : "direct";
    Map<String, String> cell =
        Map.of(
            "op", operation,
            "blockBytes", bytes,
            "buffer", buffer,
            "dist", "uniform",
            "threads", threads);
    ratio(goal + ", ÷ limit", nvcache.where(cell), operation + RATIO, most);
  }

  private void ratio(String goal, Measurements cell, String metric, double most) {
    double measured = cell.value(metric);
    if (!Double.isNaN(measured)) {
      String shown = withQuartiles(cell, metric);
      add(goal, number(most, "%.2f"), shown, measured < most + SHOWN);
    }
  }

  private void index(int millions) {
    String hit = "index_lookup_ratio_to_dram_read";
    String miss = "index_miss_ratio_to_dram_read";
    for (String entries : nvcache.where("op", "index_lookup").values("entries")) {
      if (Math.abs(Double.parseDouble(entries) / 1e6 / millions - 1) < ENTRIES_SLACK) {
        Measurements own = nvcache.where("entries", entries);
        ratio("look-up in an index of " + millions + " M, ÷ a read of DRAM", own, hit, 1.15);
        double hits = own.value(hit);
        double misses = own.value(miss);
        if (!Double.isNaN(hits) && !Double.isNaN(misses)) {
          String shown = withQuartiles(own, miss);
          add("a miss there; at most: a hit", number(hits, "%.2f"), shown, misses < hits + SHOWN);
        }
      }
    }
  }

  /** With one thread, which has made calls before; a new one makes what it needs for itself. */
  private void garbage() {
    double most =
        nvcache.where("threads", "1").records().stream()
            .filter(entry -> entry.metric().equals("alloc_bytes_per_op"))
            .mapToDouble(Entry::value)
            .max()
            .orElse(-1);
    if (most >= 0) {
      add(
          "garbage, B an operation, the most of all cells of one thread",
          "0",
          number(most, "%.1f"),
          most < SHOWN_IN_BYTES);
    }
  }

  private void bytes(String goal, String metric, int most) {
    double measured = nvcache.value(metric);
    if (!Double.isNaN(measured)) {
      String shown = number(measured, "%.1f");
      add(goal, Integer.toString(most), shown, measured < most + SHOWN_IN_BYTES);
    }
  }

  /** Noise is as large as what is compared: no worse is what the quartiles do not deny. */
  private void pauses() {
    String metric = "gc_pause_ms_per_gib";
    Measurements pauses = nvcache.matching(entry -> entry.metric().startsWith(metric));
    Measurements empty = pauses.where("entries", "0");
    Measurements full = pauses.matching(entry -> !"0".equals(entry.labels().get("entries")));
    double fullLower = full.value(metric + "_q1");
    double emptyUpper = empty.value(metric + "_q3");
    if (!Double.isNaN(fullLower) && !Double.isNaN(emptyUpper)) {
      add(
          "collections' pauses with "
              + Figures.count(Long.parseLong(full.values("entries").get(0)))
              + " blocks, ms a GiB; at most: without",
          withQuartiles(empty, metric),
          withQuartiles(full, metric),
          fullLower <= emptyUpper);
    }
  }

  private void jdks() {
    List<String> versions = all.values("jdk");
    if (versions.size() < 2) {
      return;
    }
    Measurements usual = all.where(Map.of("impl", NVCACHE, "hugePages", "default"));
    Measurements before = usual.where("jdk", versions.get(0));
    Measurements after = usual.where("jdk", versions.get(1));
    double worst = 0;
    String where = "";
    for (Map<String, String> cell : cells(before)) {
      double ratio = ratio(cell, after) / ratio(cell, before);
      if (ratio > worst) {
        worst = ratio;
        where = words(cell);
      }
    }
    if (worst > 0) {
      add(
          "JDK " + versions.get(1) + " ÷ JDK " + versions.get(0) + ", the worst cell",
          number(JDK_SLACK, "%.2f"),
          number(worst, "%.2f") + ": " + where,
          worst < JDK_SLACK + SHOWN);
    }
  }

  /** Returns the cells that there are ratios of, by their labels. */
  private static List<Map<String, String>> cells(Measurements records) {
    return records.records().stream()
        .filter(entry -> OPERATIONS.contains(entry.labels().getOrDefault("op", "")))
        .filter(entry -> entry.metric().equals(entry.labels().get("op") + RATIO))
        .map(Goals::cell)
        .distinct()
        .toList();
  }

  private static Map<String, String> cell(Entry entry) {
    Map<String, String> cell = new HashMap<>(entry.labels());
    cell.keySet().retainAll(CELL);
    return cell;
  }

  private static double ratio(Map<String, String> cell, Measurements records) {
    return records.value(cell.get("op") + RATIO, cell);
  }

  private static String words(Map<String, String> cell) {
    String threads = cell.getOrDefault("threads", "");
    return String.join(
        ", ",
        cell.getOrDefault("op", "").replace('_', ' '),
        PerformanceReport.length(cell.getOrDefault("blockBytes", "0")),
        cell.getOrDefault("buffer", ""),
        cell.getOrDefault("dist", ""),
        threads + (threads.equals("1") ? " thread" : " threads"));
  }

  /** Returns the cells in which another cache is quicker than NVCache, in words. */
  private String quickerPeers() {
    Measurements peers = records.matching(entry -> !impl(entry).startsWith(NVCACHE));
    List<String> lines = new ArrayList<>();
    int compared = 0;
    for (Map<String, String> cell : cells(nvcache)) {
      Optional<Entry> best =
          PerformanceReport.eligible(peers.where(cell), cell.getOrDefault("op", "")).stream()
              .min(Comparator.comparingDouble(Entry::value));
      double own = ratio(cell, nvcache);
      if (best.isPresent()) {
        compared++;
        if (best.get().value() < own) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "- %s: %.2f; %s %.2f",
                  words(cell),
                  own,
                  impl(best.get()),
                  best.get().value()));
        }
      }
    }
    if (compared == 0) {
      return "";
    }
    return lines.isEmpty()
        ? "In each of " + compared + " cells NVCache was quicker than every other cache."
        : "To be quicker than the best of the others in each of "
            + compared
            + " cells is a goal too. In these some other cache was quicker:\n\n"
            + String.join("\n", lines);
  }

  private static String impl(Entry entry) {
    return entry.labels().getOrDefault("impl", NVCACHE);
  }
}
