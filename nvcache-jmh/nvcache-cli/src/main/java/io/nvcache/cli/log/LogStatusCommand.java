// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.remote.RemoteText;
import io.nvcache.report.Measurements;
import io.nvcache.writelog.LogInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code log status}. */
@Command(
    name = "status",
    description =
        "Says what a log holds that is not in its files, and checks the sum of each such record."
            + " Changes nothing; a program may have the log open.")
public final class LogStatusCommand extends Action {
  @Mixin private final RecordOptions output = new RecordOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(paramLabel = "LOG", description = "The file of the log.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    output.check(reader());
    LogInspection seen = LogInspection.of(log);
    PrintWriter out = out();
    out.println("log       " + seen.path() + (seen.inUse() ? ", in use" : ", not in use"));
    out.println("capacity  " + seen.capacityBytes() + " bytes in " + seen.lanes() + " lanes");
    out.println("epoch     " + seen.epoch() + ", drained to " + seen.drainedSeq());
    out.println("pending   " + seen.records() + " records, " + seen.bytes() + " bytes");
    for (LogInspection.FileShare file : seen.files()) {
      out.println(
          "  "
              + RemoteText.of(file.path())
              + ": "
              + file.records()
              + " records, "
              + file.bytes()
              + " bytes");
    }
    out.flush();
    output.write(
        new Measurements()
            .with("log", seen.path())
            .add("log_in_use", seen.inUse() ? 1 : 0, "")
            .add("log_capacity_bytes", seen.capacityBytes(), "bytes")
            .add("log_pending_records", seen.records(), "records")
            .add("log_pending_bytes", seen.bytes(), "bytes")
            .add("log_pending_files", seen.files().size(), "files")
            .records());
    return 0;
  }
}
