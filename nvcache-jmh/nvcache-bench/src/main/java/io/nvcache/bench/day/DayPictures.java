// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The data of the picture of a day, as docs/evidence/data has it: hits by the time of the day. */
public final class DayPictures {
  /** The engines that are shown, in an order that draws ours above the others. */
  private static final Map<DayEngine, String> NAMES = new EnumMap<>(DayEngine.class);

  static {
    NAMES.put(DayEngine.NONE, "no second level");
    NAMES.put(DayEngine.BUCKET_FILE, "BucketCache, tuned");
    NAMES.put(DayEngine.NVCACHE_FLASH, "NVCache");
  }

  private static final Map<DayPhase, String> EVENTS = new EnumMap<>(DayPhase.class);

  static {
    EVENTS.put(DayPhase.MOVED, "move");
    EVENTS.put(DayPhase.SCANNING, "scan");
    EVENTS.put(DayPhase.RESTARTED, "restart");
    EVENTS.put(DayPhase.KILLED, "kill -9");
    EVENTS.put(DayPhase.COMPACTING, "compaction");
  }

  /** As high as a picture's plot, in pixels, and as far apart as two names have to be. */
  private static final double PLOT = 300;

  private static final double NAME = 18;
  private static final double PERCENT = 100;

  private DayPictures() {}

  /** Writes {@code hbase-day-hits.json}. */
  public static void write(DayFigures figures, DaySettings settings, Path directory)
      throws IOException {
    Files.writeString(directory.resolve("hbase-day-hits.json"), picture(figures, settings));
  }

  private static String picture(DayFigures figures, DaySettings settings) {
    double end =
        figures.samples().stream()
            .mapToDouble(sample -> sample.begin() + settings.turn().toSeconds() / 4.0)
            .max()
            .orElse(1);
    List<String> lines = new ArrayList<>();
    Map<DayEngine, Double> shifts = shifts(figures);
    NAMES.forEach(
        (engine, name) -> {
          String points =
              figures.of(engine).stream()
                  .map(
                      sample ->
                          text(
                              "[%.1f, %.1f]",
                              sample.begin() + sample.seconds() / 2, sample.hitRatio() * PERCENT))
                  .collect(Collectors.joining(", "));
          if (!points.isEmpty()) {
            lines.add(
                text(
                    "    {\"name\": \"%s\", %s\"shift\": %.1f, \"points\": [%s]}",
                    name,
                    engine == DayEngine.NVCACHE_FLASH ? "\"ours\": true, " : "",
                    shifts.getOrDefault(engine, 0.0),
                    points));
          }
        });
    return text(
        """
        {
          "title": "Hits through the day of a region server",
          "captions": [
            {"caption": "%s"}
          ],
          "plot": {"xAxis": "seconds of load, without the restarts", "xMax": %.0f, \
        "yAxis": "reads served without a request to the store, %%", "yMin": 0, "yMax": 100},
          "marks": [
        %s
          ],
          "lines": [
        %s
          ]
        }
        """,
        caption(settings), Math.ceil(end / 4) * 4, marks(figures), String.join(",\n", lines));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String caption(DaySettings settings) {
    return text(
        "%,d rows of 1 KB; cache %,d MiB; each request to the store is delayed by %d ms;"
            + " %d threads, YCSB's zipfian; %d %% writes.",
        settings.rows(),
        settings.capacityBytes() >> 20,
        settings.servers().delay().toMillis(),
        settings.threads(),
        settings.writePercent());
  }

  private static String marks(DayFigures figures) {
    List<String> marks = new ArrayList<>();
    EVENTS.forEach(
        (phase, event) ->
            figures.samples().stream()
                .filter(sample -> sample.phase() == phase)
                .min(Comparator.comparingDouble(DaySample::begin))
                .ifPresent(
                    first ->
                        marks.add(
                            text("    {\"mark\": \"%s\", \"at\": %.1f}", event, first.begin()))));
    return String.join(",\n", marks);
  }

  /** Returns by how many pixels the name of each line moves down so that none lies on another. */
  private static Map<DayEngine, Double> shifts(DayFigures figures) {
    Map<DayEngine, Double> ends = new EnumMap<>(DayEngine.class);
    for (DayEngine engine : NAMES.keySet()) {
      List<DaySample> samples = figures.of(engine);
      if (!samples.isEmpty()) {
        ends.put(engine, PLOT * (1 - samples.get(samples.size() - 1).hitRatio()));
      }
    }
    Map<DayEngine, Double> shifts = new EnumMap<>(DayEngine.class);
    double free = Double.NEGATIVE_INFINITY;
    for (Map.Entry<DayEngine, Double> end :
        ends.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
      double place = Math.max(end.getValue(), free);
      shifts.put(end.getKey(), place - end.getValue());
      free = place + NAME;
    }
    return shifts;
  }
}
