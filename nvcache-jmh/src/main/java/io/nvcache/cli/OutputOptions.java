// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.report.HtmlReport;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.YcsbRecords;
import io.nvcache.ycsb.BenchmarkResult;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of where results go. */
final class OutputOptions {
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

  void check(OptionReader reader) {
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

  static Path parentOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  boolean quiet() {
    return quiet;
  }

  /** Writes the files that were asked for. */
  void write(BenchmarkResult result) throws IOException {
    if (json != null) {
      try (Writer out = Files.newBufferedWriter(json, StandardCharsets.UTF_8)) {
        JsonRecords.write(YcsbRecords.of(result), out);
      }
    }
    if (report != null) {
      Files.writeString(
          report,
          HtmlReport.of(result, ZonedDateTime.now(ZoneId.systemDefault()).format(WHEN)),
          StandardCharsets.UTF_8);
    }
  }
}
