// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.calibrate.CalibrationRecords;
import io.nvcache.calibrate.CalibrationReport;
import io.nvcache.calibrate.CalibrationResult;
import io.nvcache.calibrate.CalibrationRun;
import io.nvcache.calibrate.CalibrationRun.Settings;
import io.nvcache.calibrate.CalibrationTables;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.MediumOptions;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.OutputOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.device.MediumChoice;
import io.nvcache.medium.Medium;
import io.nvcache.memory.SystemMemory;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code calibrate}: what writes do to the readers of a medium. */
@Command(
    name = "calibrate",
    customSynopsis = "nvcache calibrate --medium MEDIUM [OPTION]...",
    description = {
      KnownCommand.CALIBRATE_SUMMARY,
      "The file of --json is what a cache's builder takes as its calibration. Ctrl-C ends the"
          + " calibration and reports the rounds that were done. Ends with 1 if the figures are too"
          + " noisy to be trusted."
    })
final class CalibrateCommand extends Action {
  @Mixin private final CalibrateOptions options = new CalibrateOptions();

  @Mixin private final OutputOptions output = new OutputOptions();

  private final StopSignal stop;

  CalibrateCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = reader();
    MediumOptions medium = options.medium(reader);
    Settings settings = options.read(reader, medium.choice(), SystemMemory.totalBytes());
    output.check(reader);
    Optional<CalibrationResult> result = measure(medium, settings);
    if (result.isEmpty()) {
      PrintWriter err = err();
      err.println("nvcache calibrate: stopped before two rounds were done; nothing is known");
      err.flush();
      return ExitCode.INTERRUPTED;
    }
    print(result.get());
    output.write(
        CalibrationRecords.of(result.get()).records(),
        when -> CalibrationReport.of(result.get(), when));
    return exitCode(result.get(), err());
  }

  static int exitCode(CalibrationResult result, PrintWriter err) {
    if (result.isInterrupted()) {
      return ExitCode.INTERRUPTED;
    }
    if (!result.doubts().isEmpty()) {
      err.println(
          "nvcache calibrate: "
              + String.join("; ", result.doubts())
              + "; the recommendation can't be trusted");
      err.flush();
      return ExitCode.FAILED;
    }
    return 0;
  }

  private Optional<CalibrationResult> measure(MediumOptions place, Settings settings)
      throws IOException, InterruptedException {
    MediumChoice choice = place.choice();
    try (Medium medium = choice.open(place.path(), place.nvramScale(), settings.mediumBytes())) {
      return new CalibrationRun(settings, output.progress(err()), stop).run(choice.label(), medium);
    } catch (OutOfMemoryError e) {
      throw new IOException("out of memory: " + e.getMessage() + "; lower --size", e);
    }
  }

  private void print(CalibrationResult result) {
    Terminal.print(out(), CalibrationTables.of(result), List.of());
    String recommendation = CalibrationTables.recommendation(result);
    out().println(new TextTable(Terminal.charset()).plain(recommendation));
    Terminal.print(out(), List.of(), CalibrationTables.notes(result));
  }
}
