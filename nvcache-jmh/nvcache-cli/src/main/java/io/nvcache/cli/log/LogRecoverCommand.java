// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.medium.Durability;
import io.nvcache.remote.RemoteText;
import io.nvcache.report.Measurements;
import io.nvcache.writelog.ModifiedFiles;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.RecoveryReport;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.WriteLogBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code log recover}. */
@Command(
    name = "recover",
    description =
        "Brings what a log holds to its files, as the next start of the program would. Bytes that"
            + " have no file any more go to the directory LOG.orphans; the command ends with 1"
            + " then.")
public final class LogRecoverCommand extends Action {
  @Option(
      names = "--root",
      paramLabel = "DIRECTORY",
      required = true,
      description = "A directory that the log may write below; the option again for another.")
  private List<Path> roots = List.of();

  @Option(names = "--dry-run", description = "Only say what would be done.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description =
          "Also write over files that were modified after their last record, and take the bytes of a"
              + " root that is missing to the orphans.")
  private boolean force;

  @Mixin private final RecordOptions output = new RecordOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(paramLabel = "LOG", description = "The file of the log.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    for (Path root : roots) {
      boolean isMissing = root.toString().isBlank() || (!force && !Files.isDirectory(root));
      if (isMissing) { // Not mounted, or misspelt: all bytes of its files would go to the orphans.
        throw reader().bad("--root", root.toString(), "a directory that exists");
      }
    }
    output.check(reader());
    // msync is right on any file system, and the grade is of no account: the log ends here.
    WriteLogBuilder builder =
        WriteLog.builder(log).persistence(Persistence.MSYNC).require(Durability.NONE);
    roots.forEach(builder::root);
    builder.modifiedFiles(force ? ModifiedFiles.OVERWRITE : ModifiedFiles.REFUSE);
    RecoveryReport report = dryRun ? builder.plan() : builder.recover();
    print(report);
    output.write(measurements(report).records());
    boolean whole =
        report.orphans().isEmpty() && report.modified().isEmpty() && report.damagedRecords() == 0;
    return whole ? 0 : ExitCode.FAILED;
  }

  private void print(RecoveryReport report) {
    PrintWriter out = out();
    out.println(
        (dryRun ? "would replay " : "replayed ")
            + report.records()
            + " records, "
            + report.bytes()
            + " bytes, to "
            + report.files()
            + " files, of which "
            + report.renamed()
            + " had another name");
    if (report.deleted() > 0) {
      out.println("deleted since by the program: " + report.deleted() + " files");
    }
    report.modified().forEach(file -> out.println("modified since: " + RemoteText.of(file)));
    if (report.damagedRecords() > 0) {
      out.println("damaged: " + report.damagedRecords() + " records; their bytes are lost");
    }
    report.orphans().forEach(file -> out.println("orphan: " + RemoteText.of(file)));
    out.flush();
  }

  private Measurements measurements(RecoveryReport report) {
    return new Measurements()
        .with("log", log)
        .add("log_replayed_records", report.records(), "records")
        .add("log_replayed_bytes", report.bytes(), "bytes")
        .add("log_renamed_files", report.renamed(), "files")
        .add("log_deleted_files", report.deleted(), "files")
        // A recovery makes no file; for readers that ask for it.
        .add("log_created_files", 0, "files")
        .add("log_modified_files", report.modified().size(), "files")
        .add("log_damaged_records", report.damagedRecords(), "records")
        .add("log_orphans", report.orphans().size(), "files");
  }
}
