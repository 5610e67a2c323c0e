// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The comparison of second levels below HBase, as records and as tables. */
public final class HBaseBenchReport {
  private static final List<String> HEADER =
      List.of(
          "engine",
          "CPU/read",
          "speed to none",
          "reads/s",
          "to none",
          "p99 served",
          "hits",
          "before scan",
          "written",
          "by a read");

  private static final List<String> PREFETCH_HEADER =
      List.of(
          "engine",
          "data",
          "fetched",
          "cached",
          "not cached",
          "fetched on reopen",
          "region share off by");

  private static final List<String> COST_HEADER =
      List.of(
          "engine",
          "heat",
          "hot rows",
          "hits lost",
          "of lookups",
          "written since it began",
          "p50 ÷ before",
          "p99 ÷ before");

  private static final List<String> CHOICE_HEADER =
      List.of("engine", "hot rows", "outputs", "carried", "later reads kept", "in hindsight");

  /** What the columns mean. */
  public static final String LEGEND =
      "Speed to none: how many times less processor time a read takes than without a second level, as"
          + " median over the rounds. Reads/s are by the clock. P99 served: of the reads that read no file."
          + " Hits: of the second level's lookups;"
          + " before scan: the same before the scan began. Written: from the first warming read on; by a"
          + " read: of those measured.";

  private HBaseBenchReport() {}

  /** One record for each metric, scenario and engine; what was not measured is left out. */
  public static List<JsonRecords.Entry> records(HBaseBenchResult result) {
    HBaseBenchSettings settings = result.settings();
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (HBaseBenchResult.Cell cell : result.cells()) {
      Map<String, String> labels = new HashMap<>();
      labels.put("engine", cell.engine().label());
      labels.put("scenario", cell.scenario().label());
      labels.put("block", "" + settings.blockBytes());
      labels.put("threads", "" + settings.threads());
      labels.put("delay", "" + settings.delay().toMillis());
      if (settings.memoryBytes() > 0) {
        labels.put("memory", "" + settings.memoryBytes());
      }
      JsonRecords.add(records, "cpu_us_per_op", labels, cell.cpuMicrosPerOp(), "us");
      JsonRecords.add(records, "wall_us_per_op", labels, cell.wallMicrosPerOp(), "us");
      JsonRecords.add(records, "ratio_to_none", labels, cell.ratioToNone(), "ratio");
      JsonRecords.add(records, "reads_per_s", labels, cell.readsPerSecond(), "1/s");
      JsonRecords.add(records, "reads_ratio_to_none", labels, cell.readsRatioToNone(), "ratio");
      JsonRecords.add(records, "served_p99_us", labels, cell.servedP99Micros(), "us");
      JsonRecords.add(records, "hit_ratio", labels, cell.hitRatio(), "ratio");
      JsonRecords.add(records, "hit_ratio_before_scan", labels, cell.hitRatioBefore(), "ratio");
      JsonRecords.add(
          records, "medium_bytes_written", labels, (double) cell.mediumBytesWritten(), "bytes");
      JsonRecords.add(
          records, "written_bytes_per_read", labels, cell.writtenBytesPerRead(), "bytes");
      JsonRecords.add(records, "wrong_values", labels, (double) cell.wrongValues(), "reads");
    }
    result.windows().forEach(window -> add(records, window, settings));
    result.costs().forEach(cost -> add(records, cost, settings));
    result.choices().forEach(choice -> add(records, choice, settings));
    result.prefetches().forEach(figures -> add(records, figures, settings));
    return records;
  }

  private static void add(
      List<JsonRecords.Entry> records, CompactionWindow window, HBaseBenchSettings settings) {
    Map<String, String> labels = labels(window.engine(), window.keys(), settings);
    labels.put("heat", heatLabel(window.heat()));
    labels.put("window", "" + window.window());
    JsonRecords.add(records, "hit_ratio", labels, window.hitRatio(), "ratio");
    JsonRecords.add(
        records, "file_reads", labels, (double) (window.reads() - window.hits()), "reads");
    JsonRecords.add(
        records, "medium_bytes_written", labels, (double) window.mediumBytesWritten(), "bytes");
    JsonRecords.add(records, "wrong_values", labels, (double) window.wrongValues(), "reads");
    addPercentiles(records, "latency", labels, window.micros());
    addPercentiles(records, "processor_time", labels, window.processorMicros());
  }

  private static void add(
      List<JsonRecords.Entry> records, CompactionCost cost, HBaseBenchSettings settings) {
    Map<String, String> labels = labels(cost.engine(), cost.keys(), settings);
    labels.put("heat", heatLabel(cost.heat()));
    JsonRecords.add(records, "compaction_hits_lost", labels, cost.hitsLost(), "reads");
    JsonRecords.add(
        records, "compaction_bytes_written", labels, (double) cost.bytesWrittenSince(), "bytes");
    cost.latencyRatios()
        .forEach(
            (percentile, ratio) -> {
              Map<String, String> ofPercentile = new HashMap<>(labels);
              ofPercentile.put("percentile", percentile);
              JsonRecords.add(records, "latency_ratio_to_before", ofPercentile, ratio, "ratio");
            });
  }

  /** Returns the labels of all records of a compaction; more may be added. */
  private static Map<String, String> labels(
      HBaseEngine engine, KeyOrder keys, HBaseBenchSettings settings) {
    Map<String, String> labels = new HashMap<>();
    labels.put("scenario", HBaseScenario.COMPACTION.label());
    labels.put("engine", engine.label());
    labels.put("keys", keys.label());
    labels.put("block", "" + settings.blockBytes());
    labels.put("delay", "" + settings.delay().toMillis());
    return labels;
  }

  private static String heatLabel(boolean heat) {
    return heat ? "on" : "off";
  }

  private static void addPercentiles(
      List<JsonRecords.Entry> records,
      String metric,
      Map<String, String> labels,
      Map<String, Double> microsByPercentile) {
    microsByPercentile.forEach(
        (percentile, micros) -> {
          Map<String, String> ofPercentile = new HashMap<>(labels);
          ofPercentile.put("operation", "read");
          ofPercentile.put("percentile", percentile);
          JsonRecords.add(records, metric, ofPercentile, micros, "us");
        });
  }

  private static void add(
      List<JsonRecords.Entry> records, CarriedChoice choice, HBaseBenchSettings settings) {
    Map<String, String> labels = labels(choice.engine(), choice.keys(), settings);
    JsonRecords.add(records, "carried_blocks", labels, (double) choice.carried(), "blocks");
    for (boolean best : new boolean[] {false, true}) {
      Map<String, String> ofChoice = new HashMap<>(labels);
      ofChoice.put("choice", best ? "hindsight" : "heat");
      JsonRecords.add(
          records,
          "later_reads_kept",
          ofChoice,
          best ? choice.bestRatio() : choice.keptRatio(),
          "ratio");
    }
  }

  private static void add(
      List<JsonRecords.Entry> records, PrefetchFigures figures, HBaseBenchSettings settings) {
    Map<String, String> labels =
        Map.of(
            "scenario",
            figures.scenario().label(),
            "engine",
            figures.engine().label(),
            "block",
            "" + settings.blockBytes(),
            "delay",
            "" + settings.delay().toMillis());
    JsonRecords.add(
        records, "prefetch_fetched_bytes", labels, (double) figures.fetchedBytes(), "bytes");
    if (figures.isReopened()) {
      JsonRecords.add(
          records, "reopen_fetched_bytes", labels, (double) figures.reopenFetchedBytes(), "bytes");
    }
    JsonRecords.add(
        records, "prefetch_fetched_not_cached_ratio", labels, figures.notCachedRatio(), "ratio");
    JsonRecords.add(records, "region_ratio_error", labels, figures.regionRatioError(), "ratio");
  }

  /** The table of each scenario that ran, drawn. */
  public static List<String> tables(HBaseBenchResult result, TextTable drawer) {
    return tables(result).stream().map(drawer::draw).toList();
  }

  /** The table of each scenario that ran. */
  static List<ResultTable> tables(HBaseBenchResult result) {
    List<ResultTable> tables = new ArrayList<>();
    for (HBaseScenario scenario : result.settings().scenarios()) {
      List<List<String>> rows =
          result.cells().stream()
              .filter(cell -> cell.scenario() == scenario)
              .map(HBaseBenchReport::row)
              .toList();
      if (!rows.isEmpty()) {
        tables.add(new ResultTable(title(result, scenario), HEADER, rows));
      }
      List<List<String>> prefetches =
          result.prefetches().stream()
              .filter(figures -> figures.scenario() == scenario)
              .map(HBaseBenchReport::row)
              .toList();
      if (!prefetches.isEmpty()) {
        tables.add(new ResultTable(title(result, scenario), PREFETCH_HEADER, prefetches));
      }
    }
    for (KeyOrder keys : KeyOrder.values()) {
      List<CompactionWindow> windows = result.windows(keys);
      if (!windows.isEmpty()) {
        tables.add(windowTable(result, keys, windows));
      }
    }
    List<List<String>> costs = result.costs().stream().map(HBaseBenchReport::row).toList();
    if (!costs.isEmpty()) {
      String title =
          title(result, HBaseScenario.COMPACTION) + ", all lookups after it against before";
      tables.add(new ResultTable(title, COST_HEADER, costs));
    }
    List<List<String>> choices = result.choices().stream().map(HBaseBenchReport::row).toList();
    if (!choices.isEmpty()) {
      String title = title(result, HBaseScenario.COMPACTION) + ", carried while nothing is read";
      tables.add(new ResultTable(title, CHOICE_HEADER, choices));
    }
    return tables;
  }

  /** A line for each window; three columns for each engine. */
  private static ResultTable windowTable(
      HBaseBenchResult result, KeyOrder keys, List<CompactionWindow> windows) {
    List<String> header = new ArrayList<>(List.of("window"));
    Map<Integer, List<String>> rows = new TreeMap<>();
    int first = windows.get(0).window();
    for (CompactionWindow window : windows) {
      List<String> row =
          rows.computeIfAbsent(window.window(), number -> new ArrayList<>(List.of("" + number)));
      row.add(Figures.percent(window.hitRatio()));
      row.add(Figures.micros(window.micros().getOrDefault("99", Double.NaN)));
      row.add(Figures.bytes(window.mediumBytesWritten()));
      if (window.window() == first) {
        header.addAll(List.of(window.contender(), "p99", "written"));
      }
    }
    String title = title(result, HBaseScenario.COMPACTION) + ", hot rows " + keys.label();
    return new ResultTable(title, header, List.copyOf(rows.values()));
  }

  private static String title(HBaseBenchResult result, HBaseScenario scenario) {
    return scenario.label()
        + " · "
        + Figures.bytes(result.settings().capacityBytes())
        + " below "
        + Figures.bytes(result.settings().dramBytes())
        + " of DRAM, blocks of "
        + Figures.bytes(result.settings().blockBytes())
        + (result.settings().delay().isZero()
            ? ""
            : ", reads of files delayed by " + result.settings().delay().toMillis() + " ms")
        + (result.settings().memoryBytes() == 0
            ? ""
            : ", memory limited to " + Figures.bytes(result.settings().memoryBytes()));
  }

  private static List<String> row(CompactionCost cost) {
    return List.of(
        cost.engine().label(),
        heatLabel(cost.heat()),
        cost.keys().label(),
        Figures.count(Math.round(cost.hitsLost())),
        Figures.count(cost.reads()),
        Figures.bytes(cost.bytesWrittenSince()),
        Figures.decimal(cost.latencyRatios().getOrDefault("50", Double.NaN)),
        Figures.decimal(cost.latencyRatios().getOrDefault("99", Double.NaN)));
  }

  private static List<String> row(CarriedChoice choice) {
    return List.of(
        choice.engine().label(),
        choice.keys().label(),
        Figures.count(choice.blocks()),
        Figures.count(choice.carried()),
        Figures.percent(choice.keptRatio()),
        Figures.percent(choice.bestRatio()));
  }

  private static List<String> row(PrefetchFigures figures) {
    return List.of(
        figures.engine().label(),
        Figures.bytes(figures.dataBytes()),
        Figures.bytes(figures.fetchedBytes()),
        Figures.bytes(figures.cachedBytes()),
        Figures.percent(figures.notCachedRatio()),
        figures.isReopened() ? Figures.bytes(figures.reopenFetchedBytes()) : "-",
        Figures.percent(figures.regionRatioError()));
  }

  private static List<String> row(HBaseBenchResult.Cell cell) {
    return List.of(
        cell.engine().label(),
        Figures.micros(cell.cpuMicrosPerOp()),
        Figures.times(cell.ratioToNone()),
        Figures.count(cell.readsPerSecond()),
        Figures.times(cell.readsRatioToNone()),
        Figures.micros(cell.servedP99Micros()),
        Figures.percent(cell.hitRatio()),
        Figures.percent(cell.hitRatioBefore()),
        Figures.bytes(cell.mediumBytesWritten()),
        Figures.bytes(Math.round(cell.writtenBytesPerRead())));
  }
}
