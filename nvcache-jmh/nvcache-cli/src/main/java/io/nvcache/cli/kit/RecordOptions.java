// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import io.nvcache.report.JsonRecords;
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
public final class RecordOptions {
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
    checkFile(reader, "--json", json);
  }

  /** Whether a file that was asked for can be written. */
  public static void checkFile(OptionReader reader, String option, @Nullable Path file) {
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

  public Progress progress(CommandSpec command) {
    return quiet ? new SilentProgress() : Terminal.progress(command.commandLine().getErr());
  }

  public void write(List<JsonRecords.Entry> records) throws IOException {
    if (json != null) {
      try (Writer out = Files.newBufferedWriter(json, StandardCharsets.UTF_8)) {
        JsonRecords.write(records, out);
      }
    }
  }
}
