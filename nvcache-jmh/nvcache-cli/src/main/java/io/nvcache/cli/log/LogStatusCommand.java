// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

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

/** The command {@code log status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Says what a log holds that is not in its files, and checks the sum of each such record."
            + " Changes nothing; a program may have the log open.")
public final class LogStatusCommand implements Callable<Integer> {
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
    out.println("log       " + seen.path() + (seen.inUse() ? ", in use" : ", not in use"));
    out.println("capacity  " + seen.capacityBytes() + " bytes in " + seen.lanes() + " lanes");
    out.println("epoch     " + seen.epoch() + ", drained to " + seen.drainedSeq());
    out.println("pending   " + seen.records() + " records, " + seen.bytes() + " bytes");
    for (LogInspection.FileShare file : seen.files()) {
      out.println(
          "  " + file.path() + ": " + file.records() + " records, " + file.bytes() + " bytes");
    }
    out.flush();
    Map<String, String> labels = Map.of("log", seen.path().toString());
    List<JsonRecords.Entry> records = new ArrayList<>();
    JsonRecords.add(records, "log_in_use", labels, seen.inUse() ? 1 : 0, "");
    JsonRecords.add(records, "log_capacity_bytes", labels, (double) seen.capacityBytes(), "bytes");
    JsonRecords.add(records, "log_pending_records", labels, (double) seen.records(), "records");
    JsonRecords.add(records, "log_pending_bytes", labels, (double) seen.bytes(), "bytes");
    JsonRecords.add(records, "log_pending_files", labels, seen.files().size(), "files");
    output.write(records);
    return 0;
  }
}
