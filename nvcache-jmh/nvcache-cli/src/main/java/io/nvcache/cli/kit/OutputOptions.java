// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of where results go, for commands that write a page as well as records. */
public final class OutputOptions {
  private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z");

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page with tables, curves and settings there, as HTML.")
  private @Nullable Path report;

  @Mixin private final RecordOptions records = new RecordOptions();

  /** Refuses files that can't be written. */
  public void check(OptionReader reader) {
    RecordOptions.checkFile(reader, "--report", report);
    records.check(reader);
  }

  /** Returns what shows how far a command is. */
  public Progress progress(PrintWriter err) {
    return records.progress(err);
  }

  /** Makes the page of a command, only if it was asked for. */
  @FunctionalInterface
  public interface Page {
    /** Returns the page, given the time in words. */
    String html(String when) throws IOException;
  }

  /** Returns whether the page was asked for. */
  public boolean wantsReport() {
    return report != null;
  }

  /** Writes the files that were asked for. */
  public void write(List<JsonRecords.Entry> entries, Page page) throws IOException {
    records.write(entries);
    if (report != null) {
      String when = ZonedDateTime.now(ZoneId.systemDefault()).format(WHEN);
      Files.writeString(report, page.html(when), StandardCharsets.UTF_8);
    }
  }
}
