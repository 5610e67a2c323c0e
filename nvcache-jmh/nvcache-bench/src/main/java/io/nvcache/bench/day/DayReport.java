// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.MarkdownTable;
import io.nvcache.report.Measurements;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** A day as records and as tables. */
public final class DayReport {
  private static final List<String> PERCENTILES = List.of("50", "99", "99.9");
  private static final double MINUTE = 60;

  private static final TableView PHASES =
      reads("phase_", TableView.by("phase", "engine").headed("phase", "below"));

  private static final TableView DAY =
      reads("day_", TableView.by("engine").headed("the day, below"));

  private DayReport() {}

  /** Returns the series, the figures of each phase and of the day, the ratios and other figures. */
  public static List<JsonRecords.Entry> records(DayFigures figures, DaySettings settings) {
    Measurements out = new Measurements();
    for (DaySample sample : figures.samples()) {
      String second = String.format(Locale.ROOT, "%.1f", sample.begin());
      add("series_", sample, of(sample.engine(), sample.phase(), out).with("second", second));
    }
    for (DayPhase phase : DayPhase.values()) {
      for (DayEngine engine : settings.engines()) {
        figures
            .phase(engine, phase)
            .ifPresent(sample -> add("phase_", sample, of(engine, phase, out)));
      }
    }
    for (DayEngine engine : settings.engines()) {
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
            figures,
            to,
            out.with("engine", DayEngine.NVCACHE_FLASH.label()).with("to", to.label()));
      }
    }
    double lostWithoutHeat = figures.hitsLost(DayEngine.NVCACHE_FLASH_NOHEAT);
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
    Optional<DaySample> ours = figures.day(DayEngine.NVCACHE_FLASH);
    Optional<DaySample> theirs = figures.day(to);
    out.add("day_reads_ratio", ratio(ours, theirs, DaySample::readsPerSecond), "ratio")
        .add("day_hits_ratio", ratio(ours, theirs, DaySample::hitRatio), "ratio")
        .add("day_written_ratio", ratio(ours, theirs, DaySample::writtenBytes), "ratio");
    for (DayPhase phase : DayPhase.values()) {
      double ratio =
          ratio(
              figures.phase(DayEngine.NVCACHE_FLASH, phase),
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

  /** Returns a view of reads, whose metrics begin with a prefix. */
  private static TableView reads(String prefix, TableView view) {
    TableView all = view.column("reads/s", prefix + "reads_per_s", Figures::count);
    for (String percentile : PERCENTILES) {
      Map<String, String> at = Map.of("percentile", percentile);
      all = all.column("p" + percentile, prefix + "latency", at, Figures::micros);
    }
    return all.column("hits", prefix + "hit_ratio", Figures::percent)
        .column("written a minute", prefix + "written_per_minute", Figures::bytes);
  }

  /** Returns the tables in Markdown. */
  public static String tables(DayFigures figures, DaySettings settings) {
    Measurements measured = Measurements.of(records(figures, settings));
    Measurements ratios = new Measurements();
    addRatios(figures, ratios);
    return String.join(
        "\n\n",
        PHASES.markdown(measured),
        DAY.markdown(measured),
        listed(ratios.records()),
        listed(figures.facts()));
  }

  private static String listed(List<JsonRecords.Entry> records) {
    MarkdownTable table = new MarkdownTable(List.of("figure", "of", "to", "phase", ""));
    for (JsonRecords.Entry record : records) {
      List<String> row = new ArrayList<>(List.of(record.metric()));
      for (String label : List.of("engine", "to", "phase")) {
        row.add(record.labels().getOrDefault(label, ""));
      }
      row.add(Figures.decimal(record.value()) + " " + record.unit());
      table.add(row);
    }
    return table.toString();
  }
}
