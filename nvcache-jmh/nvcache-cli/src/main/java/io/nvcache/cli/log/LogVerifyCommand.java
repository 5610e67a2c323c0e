// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.report.Measurements;
import io.nvcache.writelog.LogInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code log verify}. */
@Command(
    name = "verify",
    description =
        "Checks that a recovery could place all that a log holds: the sums of its records, and the"
            + " files that they name. Changes nothing. Ends with 1 if something is wrong.")
public final class LogVerifyCommand extends Action {
  @Mixin private final RecordOptions output = new RecordOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(paramLabel = "LOG", description = "The file of the log.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    output.check(reader());
    LogInspection seen = LogInspection.of(log);
    PrintWriter out = out();
    out.println("whole     " + seen.records() + " records, " + seen.bytes() + " bytes");
    out.println("damaged   " + seen.damagedRecords() + " records");
    out.println("unplaced  " + seen.unplacedRecords() + " records, whose file the log lacks");
    out.flush();
    output.write(
        new Measurements()
            .with("log", seen.path())
            .add("log_whole_records", seen.records(), "records")
            .add("log_damaged_records", seen.damagedRecords(), "records")
            .add("log_unplaced_records", seen.unplacedRecords(), "records")
            .records());
    return seen.damagedRecords() + seen.unplacedRecords() == 0 ? 0 : ExitCode.FAILED;
  }
}
