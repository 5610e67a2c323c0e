// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    Measurements out = new Measurements();
    for (DaySample sample : figures.samples()) {
      String second = String.format(Locale.ROOT, "%.1f", sample.begin());
      add("series_", sample, of(sample.engine(), sample.phase(), out).with("second", second));
    }
    for (DayEngine engine : settings.engines()) {
      for (DayPhase phase : DayPhase.values()) {
        figures
            .phase(engine, phase)
            .ifPresent(sample -> add("phase_", sample, of(engine, phase, out)));
      }
      figures.day(engine).ifPresent(day -> add("day_", day, out.with("engine", engine.label())));
    }
    addRatios(figures, out);
    List<JsonRecords.Entry> records = new ArrayList<>(out.records());
    records.addAll(figures.facts());
    return records;
  }

  private static Measurements of(DayEngine engine, DayPhase phase, Measurements out) {
    return out.with("engine", engine.label()).with("phase", phase.label());
  }

  private static void add(String prefix, DaySample sample, Measurements out) {
    out.add(prefix + "reads_per_s", sample.readsPerSecond(), "1/s")
        .add(prefix + "hit_ratio", sample.hitRatio(), "ratio")
        .add(prefix + "written_per_minute", writtenPerMinute(sample), "bytes");
    for (String percentile : PERCENTILES) {
      out.with("percentile", percentile)
          .add(prefix + "latency", sample.percentile(percentile), "us");
    }
  }

  private static double writtenPerMinute(DaySample sample) {
    return sample.writtenBytes() / sample.seconds() * MINUTE;
  }

  /** Adds the ratios by which a day is judged. */
  private static void addRatios(DayFigures figures, Measurements out) {
    for (DayEngine to : DayEngine.values()) {
      if (to.isBucketCache()) {
        addRatios(
            figures, to, out.with("engine", DayEngine.NVCACHE.label()).with("to", to.label()));
      }
    }
    double lostWithoutHeat = figures.hitsLost(DayEngine.NVCACHE_NO_HEAT);
    for (DayEngine engine : DayEngine.values()) {
      double lost = figures.hitsLost(engine);
      out.with("engine", engine.label())
          .add("hits_after_restart_ratio", figures.hitsKept(engine, DayPhase.RESTARTED), "ratio")
          .add("hits_after_move_ratio", figures.hitsKept(engine, DayPhase.MOVED), "ratio")
          .add("hits_after_kill_ratio", figures.hitsKept(engine, DayPhase.KILLED), "ratio")
          .add("compaction_loss_ratio", lost / lostWithoutHeat, "ratio")
          .add("compaction_lost_hits", lost, "reads")
          .add("compaction_lost_by_chance", figures.hitsLostByChance(engine), "reads");
    }
  }

  private static void addRatios(DayFigures figures, DayEngine to, Measurements out) {
    Optional<DaySample> ours = figures.day(DayEngine.NVCACHE);
    Optional<DaySample> theirs = figures.day(to);
    out.add("day_reads_ratio", ratio(ours, theirs, DaySample::readsPerSecond), "ratio")
        .add("day_hits_ratio", ratio(ours, theirs, DaySample::hitRatio), "ratio")
        .add("day_written_ratio", ratio(ours, theirs, DaySample::writtenBytes), "ratio");
    for (DayPhase phase : DayPhase.values()) {
      double ratio =
          ratio(
              figures.phase(DayEngine.NVCACHE, phase),
              figures.phase(to, phase),
              sample -> sample.percentile("99"));
      out.with("phase", phase.label()).add("day_p99_ratio", ratio, "ratio");
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
    Measurements ratios = new Measurements();
    addRatios(figures, ratios);
    return table
        + "\n"
        + RATIOS
        + ratios.records().stream().map(DayReport::ratio).collect(Collectors.joining())
        + "\n"
        + FACTS
        + figures.facts().stream().map(DayReport::fact).collect(Collectors.joining());
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

  private static String ratio(JsonRecords.Entry ratio) {
    return line(
        ratio.metric(),
        label(ratio, "engine"),
        label(ratio, "to"),
        label(ratio, "phase"),
        Figures.decimal(ratio.value()));
  }

  private static String fact(JsonRecords.Entry fact) {
    return line(
        fact.metric(),
        label(fact, "engine"),
        label(fact, "phase"),
        Figures.decimal(fact.value()) + " " + fact.unit());
  }

  private static String label(JsonRecords.Entry record, String name) {
    return record.labels().getOrDefault(name, "");
  }

  private static String line(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
