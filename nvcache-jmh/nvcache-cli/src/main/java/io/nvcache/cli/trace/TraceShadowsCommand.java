// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.trace;

import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.report.JsonRecords;
import io.nvcache.trace.replay.ShadowAccuracy;
import io.nvcache.trace.replay.ShadowRow;
import io.nvcache.trace.replay.TraceSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code trace shadows}: how far shadows are from the truth. */
@Command(
    name = "shadows",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Replays traces with shadows on, then once for each setting that the shadows simulated, and"
          + " compares what they said with what happened.",
      "Takes the first of --policy as the cache's own, and the first --budget."
    })
final class TraceShadowsCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--sample",
      paramLabel = "RATIO",
      defaultValue = "auto",
      description = "The part of the keys to sample, 0.00001 to 0.5. Default: ${DEFAULT-VALUE}.")
  private String sample = "";

  @Option(
      names = "--candidates",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "live@1%,live@5%,live@20%,live@50%,paper-20,admit-all",
      description =
          "Settings to try in addition to other sizes, POLICY[@PERCENT%%][*FACTOR] each. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<String> candidates = List.of();

  @Mixin private final TraceOptions options = new TraceOptions();

  @Mixin private final RecordOptions output = new RecordOptions();

  @Override
  public Integer call() throws IOException {
    OptionReader reader = new OptionReader(spec.commandLine());
    TraceSettings settings = options.read(reader, 1, false);
    output.check(reader);
    OptionalDouble ratio =
        sample.equals("auto")
            ? OptionalDouble.empty()
            : OptionalDouble.of(reader.decimal("--sample", sample, 0.00001, 0.5));
    List<ShadowRow> rows =
        new ShadowAccuracy(
                settings, ratio, candidates, output.progress(spec.commandLine().getErr()))
            .run();
    print(rows, spec.commandLine().getOut());
    output.write(records(rows));
    return 0;
  }

  private static void print(List<ShadowRow> rows, PrintWriter out) {
    String form = "%-12s %-6s %8s %-10s %-14s %8s %8s %7s %9s %9s%n";
    out.printf(
        form,
        "trace",
        "size",
        "sample",
        "kind",
        "setting",
        "hits %",
        "shadow %",
        "error",
        "writes",
        "shadow");
    for (ShadowRow row : rows) {
      out.printf(
          form,
          row.trace(),
          row.capacity(),
          String.format(Locale.ROOT, "%.5f", row.sampleRatio()),
          row.kind(),
          row.name(),
          percent(row.hitRatio()),
          percent(row.shadowHitRatio()),
          percent(row.error()),
          blocks(row.writesPerLookup()),
          blocks(row.shadowWritesPerLookup()));
    }
    out.println();
    rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.trace() + " " + row.capacity() + " " + row.kind(),
                TreeMap::new,
                Collectors.averagingDouble(ShadowRow::error)))
        .forEach(
            (group, error) -> out.printf("%-32s mean error %s points%n", group, percent(error)));
    out.flush();
  }

  private static String blocks(double writesPerLookup) {
    return Double.isNaN(writesPerLookup) ? "" : String.format(Locale.ROOT, "%.4f", writesPerLookup);
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.2f", 100 * ratio);
  }

  private static List<JsonRecords.Entry> records(List<ShadowRow> rows) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (ShadowRow row : rows) {
      Map<String, String> labels =
          Map.of(
              "trace", row.trace(),
              "capacity", row.capacity(),
              "kind", row.kind(),
              "setting", row.name());
      records.add(new JsonRecords.Entry("hit_ratio", labels, row.hitRatio(), "ratio"));
      records.add(new JsonRecords.Entry("shadow_hit_ratio", labels, row.shadowHitRatio(), "ratio"));
      if (!Double.isNaN(row.writesPerLookup())) {
        records.add(
            new JsonRecords.Entry("writes_per_lookup", labels, row.writesPerLookup(), "writes"));
        records.add(
            new JsonRecords.Entry(
                "shadow_writes_per_lookup", labels, row.shadowWritesPerLookup(), "writes"));
      }
    }
    return records;
  }
}
