// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.report.JsonRecords;
import io.nvcache.writelog.LogInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code log verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Checks that a recovery could place all that a log holds: the sums of its records, and the"
            + " files that they name. Changes nothing. Ends with 1 if something is wrong.")
public final class LogVerifyCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Mixin private final RecordOptions output = new RecordOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(paramLabel = "LOG", description = "The file of the log.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    output.check(new OptionReader(spec.commandLine()));
    LogInspection seen = LogInspection.of(log);
    PrintWriter out = spec.commandLine().getOut();
    out.println("whole     " + seen.records() + " records, " + seen.bytes() + " bytes");
    out.println("damaged   " + seen.damagedRecords() + " records");
    out.println("unplaced  " + seen.unplacedRecords() + " records, whose file the log lacks");
    out.flush();
    Map<String, String> labels = Map.of("log", seen.path().toString());
    List<JsonRecords.Entry> records = new ArrayList<>();
    JsonRecords.add(records, "log_whole_records", labels, (double) seen.records(), "records");
    JsonRecords.add(
        records, "log_damaged_records", labels, (double) seen.damagedRecords(), "records");
    JsonRecords.add(
        records, "log_unplaced_records", labels, (double) seen.unplacedRecords(), "records");
    output.write(records);
    return seen.damagedRecords() + seen.unplacedRecords() == 0 ? 0 : ExitCode.FAILED;
  }
}
