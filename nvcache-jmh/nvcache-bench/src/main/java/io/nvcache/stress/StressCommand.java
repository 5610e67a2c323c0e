// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import io.nvcache.stress.StressRun.Result;
import io.nvcache.stress.StressRun.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code stress}: a long, random, self-checking run on a medium that misbehaves. */
@Command(
    name = "stress",
    customSynopsis = "nvcache stress [OPTION]...",
    description = {
      KnownCommand.STRESS_SUMMARY,
      "Ends at the first answer that no cache may give, with exit code 1. The seed repeats what each"
          + " thread does, not which comes first."
    })
public final class StressCommand extends Action {
  @Mixin private final StressOptions options = new StressOptions();

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  /**
   * A command that ends early when asked to.
   *
   * @param stop of the program
   */
  public StressCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = reader();
    Settings settings = options.read(reader);
    output.check(reader);
    out().println("seed " + settings.seed());
    Result result = new StressRun(settings, this::progress, stop).run();
    Measurements measured = measurements(result);
    print(out(), measured);
    if (result.explanation() != null) {
      out().println("FIRST VIOLATION: " + result.explanation());
    }
    out().flush();
    output.write(measured.records());
    if (result.violations() > 0) {
      return ExitCode.FAILED;
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private void progress(String line) {
    if (!output.isQuiet()) {
      err().println(line);
      err().flush();
    }
  }

  private static void print(PrintWriter out, Measurements measured) {
    for (JsonRecords.Entry each : measured.records()) {
      String name = each.metric() + " " + each.labels().getOrDefault("fault", "");
      out.printf("%-22s %,15.0f%n", name.strip(), each.value());
    }
  }

  private static Measurements measurements(Result result) {
    Measurements to =
        new Measurements()
            .with("medium", result.settings().medium().label())
            .with("threads", result.settings().threads())
            .with("seed", result.settings().seed());
    to.add("seconds", result.seconds(), "s").add("rounds", result.rounds(), "rounds");
    result.counts().forEach((name, count) -> to.add(name, count, "times"));
    result.health().forEach((name, count) -> to.add(name, count, "times"));
    result
        .faults()
        .forEach((fault, count) -> to.with("fault", fault).add("injected", count, "times"));
    return to.add("resident_bytes_early", result.early().residentBytes(), "bytes")
        .add("resident_bytes_late", result.late().residentBytes(), "bytes")
        .add("mappings_early", result.early().mappings(), "mappings")
        .add("mappings_late", result.late().mappings(), "mappings");
  }
}
