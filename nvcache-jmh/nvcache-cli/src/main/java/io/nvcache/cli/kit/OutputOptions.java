// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of where results go. */
public final class OutputOptions {
  private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z");

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page with tables, curves and settings there, as HTML.")
  private @Nullable Path report;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures there, as one array of JSON records.")
  private @Nullable Path json;

  @Option(names = "--quiet", description = "Show no progress.")
  private boolean quiet;

  @SuppressWarnings("UnusedVariable") // OneLineErrors looks whether it was given
  @Option(names = "--verbose", description = "When something fails, show where.")
  private boolean verbose;

  public void check(OptionReader reader) {
    check(reader, "--report", report);
    check(reader, "--json", json);
  }

  private static void check(OptionReader reader, String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    boolean possible =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : Files.isDirectory(parentOf(file)) && Files.isWritable(parentOf(file));
    if (!possible) {
      throw reader.bad(
          option, file.toString(), "a file that can be written, in a directory that exists");
    }
  }

  public static Path parentOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /** How to show a command's progress. */
  public Progress progress(CommandSpec command) {
    return progress(command.commandLine().getErr());
  }

  /** What shows how far a command is. */
  public Progress progress(PrintWriter err) {
    return quiet ? new SilentProgress() : Terminal.progress(err);
  }

  /** Makes the page of a command, only if it was asked for. */
  @FunctionalInterface
  public interface Page {
    /** The page, given the time in words. */
    String html(String when) throws IOException;
  }

  public boolean wantsReport() {
    return report != null;
  }

  /** Writes the files that were asked for. */
  public void write(List<JsonRecords.Entry> records, Page page) throws IOException {
    if (json != null) {
      try (Writer out = Files.newBufferedWriter(json, StandardCharsets.UTF_8)) {
        JsonRecords.write(records, out);
      }
    }
    if (report != null) {
      String when = ZonedDateTime.now(ZoneId.systemDefault()).format(WHEN);
      Files.writeString(report, page.html(when), StandardCharsets.UTF_8);
    }
  }
}
