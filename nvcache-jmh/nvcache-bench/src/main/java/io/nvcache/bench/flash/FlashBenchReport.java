// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hits on flash beside bare reads, as records and as a table. */
public final class FlashBenchReport {
  private static final List<String> HEADER =
      List.of(
          "threads", "preads/s", "hits/s", "ratio", "CPU/pread", "CPU/hit", "ratio", "garbage/hit");

  /** What the columns mean. */
  public static final String LEGEND =
      "Medians over the rounds; ratios are those of a bare read and a hit of one round. CPU is that of"
          + " the reading threads, garbage what they allocate.";

  private FlashBenchReport() {}

  /** One record for each metric and number of threads. */
  public static List<JsonRecords.Entry> records(FlashBenchResult result) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (FlashBenchResult.Cell cell : result.cells()) {
      Map<String, String> labels = Map.of("threads", "" + cell.threads());
      JsonRecords.add(records, "direct_hit_cpu_ratio_to_pread", labels, cell.cpuRatio(), "ratio");
      JsonRecords.add(records, "direct_hits_ratio_to_pread", labels, cell.hitsRatio(), "ratio");
      JsonRecords.add(records, "direct_hit_cpu_us", labels, cell.hitCpuMicros(), "us");
      JsonRecords.add(records, "pread_cpu_us", labels, cell.preadCpuMicros(), "us");
      JsonRecords.add(records, "direct_hits_per_s", labels, cell.hitsPerSecond(), "1/s");
      JsonRecords.add(records, "preads_per_s", labels, cell.preadsPerSecond(), "1/s");
      JsonRecords.add(records, "direct_hit_garbage_bytes", labels, cell.garbageBytes(), "bytes");
    }
    JsonRecords.add(
        records, "device_bytes_ratio_to_admitted", Map.of(), result.deviceBytesRatio(), "ratio");
    result
        .safepointP99Millis()
        .forEach(
            (engine, millis) ->
                JsonRecords.add(
                    records, "safepoint_p99_ms", Map.of("engine", engine), millis, "ms"));
    JsonRecords.add(records, "wrong_blocks", Map.of(), (double) result.wrongBlocks(), "blocks");
    return records;
  }

  /** The table of all numbers of threads. */
  public static ResultTable table(FlashBenchResult result, FlashBenchSettings settings) {
    return new ResultTable(
        "Blocks of "
            + Figures.bytes(settings.blockBytes())
            + " on "
            + Figures.bytes(settings.capacityBytes())
            + " of flash",
        HEADER,
        result.cells().stream().map(FlashBenchReport::row).toList());
  }

  /** One line for each figure that is none of a number of threads. */
  public static List<String> notes(FlashBenchResult result) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Bytes written to devices for each byte admitted: "
            + Figures.decimal(result.deviceBytesRatio()));
    result
        .safepointP99Millis()
        .forEach(
            (engine, millis) ->
                notes.add(
                    "99th percentile of the waits for safepoints, "
                        + engine
                        + ": "
                        + Figures.decimal(millis)
                        + " ms"));
    return notes;
  }

  private static List<String> row(FlashBenchResult.Cell cell) {
    return List.of(
        "" + cell.threads(),
        Figures.count(cell.preadsPerSecond()),
        Figures.count(cell.hitsPerSecond()),
        Figures.decimal(cell.hitsRatio()),
        Figures.micros(cell.preadCpuMicros()),
        Figures.micros(cell.hitCpuMicros()),
        Figures.decimal(cell.cpuRatio()),
        Figures.decimal(cell.garbageBytes()) + " B");
  }
}
