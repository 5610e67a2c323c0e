// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.report.JsonRecords;
import io.nvcache.ycsb.Progress;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of where records go, for commands that have no HTML page. */
final class RecordOptions {
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
    checkFile(reader, "--json", json);
  }

  /** Whether a file that was asked for can be written. */
  static void checkFile(OptionReader reader, String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    Path parent = OutputOptions.parentOf(file);
    boolean possible =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : Files.isDirectory(parent) && Files.isWritable(parent);
    if (!possible || !canBeMade(file)) {
      throw reader.bad(
          option, file.toString(), "a file that can be written, in a directory that exists");
    }
  }

  /** Tried, for some directories claim to be writable. */
  private static boolean canBeMade(Path file) {
    if (Files.exists(file)) {
      return true;
    }
    try {
      Files.createFile(file);
      Files.delete(file);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  Progress progress(CommandSpec command) {
    if (quiet) {
      return new SilentProgress();
    }
    return Terminal.errorsAreSeen()
        ? new BarProgress(Terminal.charset())
        : new LineProgress(command.commandLine().getErr());
  }

  void write(List<JsonRecords.Entry> records) throws IOException {
    if (json != null) {
      try (Writer out = Files.newBufferedWriter(json, StandardCharsets.UTF_8)) {
        JsonRecords.write(records, out);
      }
    }
  }
}
