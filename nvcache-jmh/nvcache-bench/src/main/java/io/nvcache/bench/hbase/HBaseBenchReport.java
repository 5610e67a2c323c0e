// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The comparison of second levels below HBase, as tables. */
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

  private static final String LEGEND =
      "Speed to none: how many times less processor time a read takes than without a second level,"
          + " as median over the rounds. Reads/s are by the clock. P99 served: of the reads that"
          + " read no file. Hits: of the second level's lookups; before scan: the same before the"
          + " scan began. Written: from the first warming read on; by a read: of those measured.";

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
}
