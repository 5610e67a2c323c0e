// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.tier.Systems;
import io.nvcache.report.Figures;
import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import io.nvcache.report.chart.DotChart;
import io.nvcache.report.chart.DotChart.Fill;
import io.nvcache.report.chart.Markup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table, records and page of the command {@code whatif}. */
public final class WhatIfReport {
  private static final List<String> HEADER =
      List.of("policy", "ops/s", "× none", "hits", "writes/lookup", "NVRAM writes", "per dollar");
  private static final String NONE = "–";
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;
  private static final String UNSETTLED = " *";

  private final String load;
  private final List<WhatIf.Prediction> predictions;
  private final Prices prices;

  /**
   * What memory costs.
   *
   * @param withoutNvram the DRAM alone
   * @param withNvram both
   */
  public record Prices(double withoutNvram, double withNvram) {}

  /**
   * Reports predictions.
   *
   * @param load in words
   * @param predictions the first without a second tier
   */
  public WhatIfReport(String load, List<WhatIf.Prediction> predictions, Prices prices) {
    this.load = load;
    this.predictions = predictions;
    this.prices = prices;
  }

  /** The table, drawn for a terminal. */
  public String table(TextTable style) {
    return style.draw(table());
  }

  private ResultTable table() {
    List<List<String>> rows = new ArrayList<>();
    for (WhatIf.Prediction prediction : predictions) {
      RunResult result = prediction.result();
      boolean cached = result.lookups() > 0;
      rows.add(
          List.of(
              prediction.system().name() + (prediction.isSettled() ? "" : UNSETTLED),
              Figures.count(result.throughput()),
              Figures.times(ratio(result)),
              cached ? Figures.percent(result.hitRatio()) : NONE,
              cached ? Figures.percent(result.insertedBlocks() / result.lookups()) : NONE,
              cached ? String.format(Locale.ROOT, "%.1f MB/s", writeRate(result) / MEGA) : NONE,
              Figures.times(perDollar(prediction))));
    }
    return new ResultTable("Predicted · " + load, HEADER, rows);
  }

  /** What is to be known of the table. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    WhatIf.Prediction first = predictions.get(0);
    notes.add(
        first.warmUpSeconds() > 0
            ? String.format(
                Locale.ROOT,
                "Modelled: %s after %s of warm-up.",
                time(first.result().seconds()),
                time(first.warmUpSeconds()))
            : "Modelled: the whole trace from an empty cache on, "
                + time(first.result().seconds())
                + " without a second tier.");
    predictions.stream()
        .filter(prediction -> !prediction.isSettled())
        .forEach(
            prediction ->
                notes.add(
                    String.format(
                        Locale.ROOT,
                        "* %s does things by the clock that show after %s; its run lasted %s.",
                        prediction.system().name(),
                        time((double) prediction.system().settling().toSeconds()),
                        time(prediction.result().seconds()))));
    return notes;
  }

  private static String time(double seconds) {
    return seconds >= 120
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : String.format(Locale.ROOT, "%.1f s", seconds);
  }

  private static double writeRate(RunResult result) {
    return GIGA * result.nvramWrittenGb() / result.seconds();
  }

  /** One record for each figure. */
  public List<Entry> records() {
    Measurements all = new Measurements().with("load", load);
    for (WhatIf.Prediction prediction : predictions) {
      RunResult result = prediction.result();
      Measurements to = all.with("policy", prediction.system().name());
      to.add("throughput", result.throughput(), "ops/s")
          .add("throughput_ratio", ratio(result), "ratio")
          .add("performance_per_price", perDollar(prediction), "ratio")
          .add("modelled_seconds", result.seconds(), "s")
          .add("warm_up_seconds", prediction.warmUpSeconds(), "s")
          .flag("settled", prediction.isSettled());
      if (result.lookups() > 0) {
        to.add("hit_ratio", result.hitRatio(), "ratio")
            .add("writes_per_lookup", result.insertedBlocks() / result.lookups(), "ratio")
            .add("medium_written_bytes", GIGA * result.nvramWrittenGb(), "bytes")
            .add("medium_write_rate", writeRate(result), "bytes/s");
      }
    }
    return all.records();
  }

  /** The page. */
  public String page(Map<String, String> settings, String when) throws IOException {
    Map<String, String> policies = new LinkedHashMap<>();
    predictions.forEach(p -> policies.put(p.system().name(), p.system().summary()));
    String section =
        "<section>\n<h2>"
            + Markup.escape("Predicted · " + load)
            + "</h2>\n"
            + HtmlPage.table(table())
            + "\n<div class=\"plots\">\n"
            + HtmlPage.figure(ratios())
            + "</div>\n</section>\n";
    return HtmlPage.of(
        Map.of(
            "title", Markup.escape("What if: " + load),
            "when", Markup.escape(when),
            "workloads", section,
            "policies", HtmlPage.definitions(policies),
            "notes",
                "<li>Predicted by the model of docs/evidence/generated/reproduction.md; compare policies and sizes by"
                    + " it, and measure before you buy.</li>"
                    + HtmlPage.items(notes()),
            "settings", HtmlPage.definitions(settings),
            "machine", HtmlPage.definitions(HostMachine.describe())));
  }

  private String ratios() {
    DotChart chart = new DotChart(load, "against none", "");
    for (WhatIf.Prediction prediction : predictions) {
      String system = prediction.system().name();
      chart.add("", system, "throughput", ratio(prediction.result()), Fill.SOLID);
    }
    for (WhatIf.Prediction prediction : predictions) {
      String system = prediction.system().name();
      chart.add("", system, "throughput per dollar", perDollar(prediction), Fill.SOLID);
    }
    return chart.svg();
  }

  private double ratio(RunResult result) {
    return result.throughput() / predictions.get(0).result().throughput();
  }

  private double perDollar(WhatIf.Prediction prediction) {
    double price =
        prediction.system().equals(Systems.NONE) ? prices.withoutNvram() : prices.withNvram();
    return ratio(prediction.result()) * prices.withoutNvram() / price;
  }
}
