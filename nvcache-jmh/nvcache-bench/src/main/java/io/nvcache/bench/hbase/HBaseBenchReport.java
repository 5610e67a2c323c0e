// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Figures;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.SeriesStyle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** The comparison of second levels below HBase, as tables and as a page. */
public final class HBaseBenchReport {
  private static final TableView TURNS =
      TableView.by("engine")
          .column("CPU/read", "cpu_us_per_op", Figures::micros)
          .column("speed to none", "ratio_to_none", Figures::times)
          .column("reads/s", "reads_per_s", Figures::count)
          .column("to none", "reads_ratio_to_none", Figures::times)
          .column("p99 served", "served_p99_us", Figures::micros)
          .column("hits", "hit_ratio", Figures::percent)
          .column("before scan", "hit_ratio_before_scan", Figures::percent)
          .column("written", "medium_bytes_written", Figures::bytes)
          .column("by a read", "written_bytes_per_read", Figures::bytes);

  private static final TableView PREFETCHES =
      TableView.by("engine")
          .column("data", "prefetch_data_bytes", Figures::bytes)
          .column("fetched", "prefetch_fetched_bytes", Figures::bytes)
          .column("cached", "prefetch_cached_bytes", Figures::bytes)
          .column("not cached", "prefetch_fetched_not_cached_ratio", Figures::percent)
          .column("fetched on reopen", "reopen_fetched_bytes", Figures::bytes)
          .column("region share off by", "region_ratio_error", Figures::percent);

  private static final TableView COSTS =
      TableView.by("engine", "heat", "keys")
          .headed("engine", "heat", "hot rows")
          .column("hits lost", "compaction_hits_lost", Figures::count)
          .column("of lookups", "compaction_later_reads", Figures::count)
          .column("written since it began", "compaction_bytes_written", Figures::bytes)
          .column("p50 ÷ before", "latency_ratio_to_before", at("50"), Figures::decimal)
          .column("p99 ÷ before", "latency_ratio_to_before", at("99"), Figures::decimal);

  private static final TableView CHOICES =
      TableView.by("engine", "keys")
          .headed("engine", "hot rows")
          .column("outputs", "compaction_output_blocks", Figures::count)
          .column("carried", "carried_blocks", Figures::count)
          .column(
              "later reads kept", "later_reads_kept", Map.of("choice", "heat"), Figures::percent)
          .column(
              "in hindsight", "later_reads_kept", Map.of("choice", "hindsight"), Figures::percent);

  private static final String LEGEND =
      "Speed to none: how many times less processor time a read takes than without a second level, as"
          + " median over the rounds. Reads/s are by the clock. P99 served: of the reads that read no file."
          + " Hits: of the second level's lookups;"
          + " before scan: the same before the scan began. Written: from the first warming read on; by a"
          + " read: of those measured.";

  private final HBaseBenchSettings settings;
  private final Measurements measured;
  private final List<String> notes;

  /**
   * Makes views of what was measured.
   *
   * @param notes what did not run, and why
   */
  public HBaseBenchReport(HBaseBenchSettings settings, Measurements measured, List<String> notes) {
    this.settings = settings;
    this.measured = measured;
    this.notes = List.copyOf(notes);
  }

  private static Map<String, String> at(String percentile) {
    return Map.of("percentile", percentile);
  }

  /** Returns the table of each scenario that ran. */
  public List<ResultTable> tables() {
    List<ResultTable> tables = new ArrayList<>();
    for (HBaseScenario scenario : settings.scenarios()) {
      Map<String, String> having = Map.of("scenario", scenario.label());
      if (scenario == HBaseScenario.COMPACTION) {
        for (KeyOrder keys : KeyOrder.values()) {
          tables.addAll(windows(keys));
        }
        String title = title(scenario);
        tables.addAll(COSTS.of(title + ", all lookups after it against before", measured, having));
        tables.addAll(CHOICES.of(title + ", carried while nothing is read", measured, having));
      } else if (HBaseScenario.IN_TURNS.contains(scenario)) {
        tables.addAll(TURNS.of(title(scenario), measured, having));
      } else {
        tables.addAll(PREFETCHES.of(title(scenario), measured, having));
      }
    }
    return tables;
  }

  /** A line for each window; three columns for each engine. */
  private List<ResultTable> windows(KeyOrder keys) {
    TableView view = TableView.by("window");
    for (Map<String, String> contender : contenders(keys)) {
      view =
          view.column(nameOf(contender), "hit_ratio", contender, Figures::percent)
              .column("p99", "latency", both(contender, at("99")), Figures::micros)
              .column("written", "medium_bytes_written", contender, Figures::bytes);
    }
    String title = title(HBaseScenario.COMPACTION) + ", hot rows " + keys.label();
    return view.of(title, measured, having(keys));
  }

  private List<Map<String, String>> contenders(KeyOrder keys) {
    return measured.distinct("hit_ratio", having(keys), List.of("engine", "heat"));
  }

  private static Map<String, String> having(KeyOrder keys) {
    return Map.of("scenario", HBaseScenario.COMPACTION.label(), "keys", keys.label());
  }

  private static String nameOf(Map<String, String> contender) {
    return contender.get("engine") + ("on".equals(contender.get("heat")) ? " with heat" : "");
  }

  private static Map<String, String> both(Map<String, String> some, Map<String, String> more) {
    Map<String, String> both = new HashMap<>(some);
    both.putAll(more);
    return both;
  }

  private String title(HBaseScenario scenario) {
    return scenario.label()
        + " · "
        + Figures.bytes(settings.capacityBytes())
        + " below "
        + Figures.bytes(settings.dramBytes())
        + " of DRAM, blocks of "
        + Figures.bytes(settings.blockBytes())
        + (settings.delay().isZero()
            ? ""
            : ", reads of files delayed by " + settings.delay().toMillis() + " ms")
        + (settings.memoryBytes() == 0
            ? ""
            : ", memory limited to " + Figures.bytes(settings.memoryBytes()));
  }

  /** Returns what the columns mean, and what did not run. */
  public List<String> notes() {
    List<String> all = new ArrayList<>(List.of(LEGEND));
    all.addAll(notes);
    return all;
  }

  /**
   * Returns the page: the tables, and what a compaction costs as curves.
   *
   * @param asked what was asked for, by option
   * @param when the time to print, in words
   */
  public String page(Map<String, String> asked, String when) throws IOException {
    StringBuilder sections = new StringBuilder("<section>\n");
    tables().forEach(table -> sections.append(HtmlPage.titledTable(table)));
    for (KeyOrder keys : KeyOrder.values()) {
      if (!contenders(keys).isEmpty()) {
        String of = ", hot rows " + keys.label();
        sections
            .append("<div class=\"plots\">\n")
            .append(figure("Hit ratio, %" + of, keys, "hit_ratio", Map.of(), r -> 100 * r))
            .append(
                figure("99th percentile of the reads, us" + of, keys, "latency", at("99"), v -> v))
            .append("</div>\n");
      }
    }
    return HtmlPage.of("HBase", when, sections.append("</section>\n").toString(), notes(), asked);
  }

  /** A curve for each engine, from window to window. */
  private String figure(
      String title,
      KeyOrder keys,
      String metric,
      Map<String, String> more,
      DoubleUnaryOperator scale) {
    LineChart chart =
        new LineChart(title, "window; the compaction is 0, and 1 follows its commit", Axis.LINEAR);
    int style = 0;
    for (Map<String, String> contender : contenders(keys)) {
      Map<String, String> having = both(both(having(keys), contender), more);
      List<Point> points = new ArrayList<>();
      for (Map<String, String> at : measured.distinct(metric, having, List.of("window"))) {
        points.add(
            new Point(
                Double.parseDouble(at.getOrDefault("window", "0")),
                scale.applyAsDouble(measured.value(metric, both(having, at)))));
      }
      chart.add(nameOf(contender), SeriesStyle.of(style++), points);
    }
    return HtmlPage.figure(chart.svg());
  }
}
