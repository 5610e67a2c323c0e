// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code stress}: a long, random, self-checking run on a medium that misbehaves. */
@Command(
    name = "stress",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    customSynopsis = "nvcache stress [OPTION]...",
    description = {
      KnownCommand.STRESS_SUMMARY,
      "Ends at the first answer that no cache may give, with exit code 1. The seed repeats what each"
          + " thread does, not which comes first."
    })
public final class StressCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

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
    OptionReader reader = new OptionReader(spec.commandLine());
    StressSettings settings = options.read(reader);
    output.check(reader);
    PrintWriter out = spec.commandLine().getOut();
    out.println("seed " + settings.seed());
    StressResult result = new StressRun(settings, this::progress, stop).run();
    print(out, result);
    output.write(StressRecords.of(result));
    if (result.violations() > 0) {
      return ExitCode.FAILED;
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private void progress(String line) {
    if (!output.isQuiet()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(line);
      err.flush();
    }
  }

  private static void print(PrintWriter out, StressResult result) {
    out.printf("%-22s %,15.1f%n", "seconds", result.seconds());
    out.printf("%-22s %,15d%n", "rounds", result.rounds());
    print(out, "", result.counts());
    print(out, "", result.health());
    print(out, "injected ", result.faults());
    out.printf(
        "%-22s %,15d, then %,d%n",
        "resident bytes", result.early().residentBytes(), result.late().residentBytes());
    out.printf(
        "%-22s %,15d, then %,d%n", "mappings", result.early().mappings(), result.late().mappings());
    if (result.explanation() != null) {
      out.println("FIRST VIOLATION: " + result.explanation());
    }
    out.flush();
  }

  private static void print(PrintWriter out, String before, Map<String, Long> counts) {
    counts.forEach((name, count) -> out.printf("%-22s %,15d%n", before + name, count));
  }
}
