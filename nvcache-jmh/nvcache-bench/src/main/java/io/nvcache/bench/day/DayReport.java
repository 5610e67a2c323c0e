// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A day as records and as tables. */
public final class DayReport {
  private static final List<String> PERCENTILES = List.of("50", "99", "99.9");
  private static final double MINUTE = 60;

  private static final String HEADER =
      """
      | phase | below | reads/s | p50 | p99 | p99.9 | hits | written a minute |
      |---|---|--:|--:|--:|--:|--:|--:|
      """;

  private static final String RATIOS =
      """
      | ratio | of | to | phase | |
      |---|---|---|---|--:|
      """;

  private static final String FACTS =
      """
      | figure | of | phase | |
      |---|---|---|--:|
      """;

  private DayReport() {}

  /** Returns the series, the figures of each phase and of the day, the ratios and other figures. */
  public static List<JsonRecords.Entry> records(DayFigures figures, DaySettings settings) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (DaySample sample : figures.samples()) {
      Map<String, String> labels = labels(sample.engine(), sample.phase());
      labels.put("second", String.format(Locale.ROOT, "%.1f", sample.begin()));
      add(records, "series_", labels, sample);
    }
    for (DayEngine engine : settings.engines()) {
      for (DayPhase phase : DayPhase.values()) {
        figures
            .phase(engine, phase)
            .ifPresent(sample -> add(records, "phase_", labels(engine, phase), sample));
      }
      figures
          .day(engine)
          .ifPresent(day -> add(records, "day_", Map.of("engine", engine.label()), day));
    }
    records.addAll(ratios(figures));
    for (DayFact fact : figures.facts()) {
      Map<String, String> labels = Map.of("engine", fact.engine().label(), "phase", fact.phase());
      JsonRecords.add(records, fact.metric(), labels, fact.value(), fact.unit());
    }
    return records;
  }

  private static Map<String, String> labels(DayEngine engine, DayPhase phase) {
    return new HashMap<>(Map.of("engine", engine.label(), "phase", phase.label()));
  }

  private static void add(
      List<JsonRecords.Entry> records,
      String prefix,
      Map<String, String> labels,
      DaySample sample) {
    JsonRecords.add(records, prefix + "reads_per_s", labels, sample.readsPerSecond(), "1/s");
    JsonRecords.add(records, prefix + "hit_ratio", labels, sample.hitRatio(), "ratio");
    JsonRecords.add(
        records, prefix + "written_per_minute", labels, writtenPerMinute(sample), "bytes");
    for (String percentile : PERCENTILES) {
      Map<String, String> ofPercentile = new HashMap<>(labels);
      ofPercentile.put("percentile", percentile);
      JsonRecords.add(
          records, prefix + "latency", ofPercentile, sample.percentile(percentile), "us");
    }
  }

  private static double writtenPerMinute(DaySample sample) {
    return sample.writtenBytes() / sample.seconds() * MINUTE;
  }

  /** Returns the ratios by which a day is judged. */
  static List<JsonRecords.Entry> ratios(DayFigures figures) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (DayEngine to : DayEngine.values()) {
      if (to.isBucketCache()) {
        addRatios(records, figures, to);
      }
    }
    for (DayEngine engine : DayEngine.values()) {
      Map<String, String> labels = Map.of("engine", engine.label());
      JsonRecords.add(
          records,
          "hits_after_restart_ratio",
          labels,
          figures.hitsKept(engine, DayPhase.RESTARTED),
          "ratio");
      JsonRecords.add(
          records,
          "hits_after_move_ratio",
          labels,
          figures.hitsKept(engine, DayPhase.MOVED),
          "ratio");
      JsonRecords.add(
          records,
          "hits_after_kill_ratio",
          labels,
          figures.hitsKept(engine, DayPhase.KILLED),
          "ratio");
      JsonRecords.add(
          records,
          "compaction_loss_ratio",
          labels,
          figures.hitsLost(engine) / figures.hitsLost(DayEngine.NVCACHE_NO_HEAT),
          "ratio");
      JsonRecords.add(records, "compaction_lost_hits", labels, figures.hitsLost(engine), "reads");
      JsonRecords.add(
          records, "compaction_lost_by_chance", labels, figures.hitsLostByChance(engine), "reads");
    }
    return records;
  }

  private static void addRatios(List<JsonRecords.Entry> records, DayFigures figures, DayEngine to) {
    Map<String, String> labels = Map.of("engine", DayEngine.NVCACHE.label(), "to", to.label());
    Optional<DaySample> ours = figures.day(DayEngine.NVCACHE);
    Optional<DaySample> theirs = figures.day(to);
    JsonRecords.add(
        records,
        "day_reads_ratio",
        labels,
        ratio(ours, theirs, DaySample::readsPerSecond),
        "ratio");
    JsonRecords.add(
        records, "day_hits_ratio", labels, ratio(ours, theirs, DaySample::hitRatio), "ratio");
    JsonRecords.add(
        records,
        "day_written_ratio",
        labels,
        ratio(ours, theirs, DaySample::writtenBytes),
        "ratio");
    for (DayPhase phase : DayPhase.values()) {
      Map<String, String> ofPhase = new HashMap<>(labels);
      ofPhase.put("phase", phase.label());
      JsonRecords.add(
          records,
          "day_p99_ratio",
          ofPhase,
          ratio(
              figures.phase(DayEngine.NVCACHE, phase),
              figures.phase(to, phase),
              sample -> sample.percentile("99")),
          "ratio");
    }
  }

  private static double ratio(
      Optional<DaySample> ours, Optional<DaySample> theirs, ToDoubleFunction<DaySample> figure) {
    return ours.isPresent() && theirs.isPresent()
        ? figure.applyAsDouble(ours.get()) / figure.applyAsDouble(theirs.get())
        : Double.NaN;
  }

  /** Returns the tables in Markdown. */
  public static String tables(DayFigures figures, DaySettings settings) {
    StringBuilder table = new StringBuilder(HEADER);
    for (DayPhase phase : DayPhase.values()) {
      for (DayEngine engine : settings.engines()) {
        figures.phase(engine, phase).ifPresent(sample -> table.append(row(phase.label(), sample)));
      }
    }
    for (DayEngine engine : settings.engines()) {
      figures.day(engine).ifPresent(day -> table.append(row("the day", day)));
    }
    return table
        + "\n"
        + RATIOS
        + ratios(figures).stream().map(DayReport::row).collect(Collectors.joining())
        + "\n"
        + FACTS
        + figures.facts().stream().map(DayReport::row).collect(Collectors.joining());
  }

  static String row(String phase, DaySample sample) {
    return line(
        phase,
        sample.engine().label(),
        Figures.count(sample.readsPerSecond()),
        Figures.micros(sample.percentile("50")),
        Figures.micros(sample.percentile("99")),
        Figures.micros(sample.percentile("99.9")),
        Figures.percent(sample.hitRatio()),
        Figures.bytes(writtenPerMinute(sample)));
  }

  private static String row(JsonRecords.Entry ratio) {
    Map<String, String> labels = ratio.labels();
    return line(
        ratio.metric(),
        labels.getOrDefault("engine", ""),
        labels.getOrDefault("to", ""),
        labels.getOrDefault("phase", ""),
        Figures.decimal(ratio.value()));
  }

  private static String row(DayFact fact) {
    return line(
        fact.metric(),
        fact.engine().label(),
        fact.phase(),
        Figures.decimal(fact.value()) + " " + fact.unit());
  }

  private static String line(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
