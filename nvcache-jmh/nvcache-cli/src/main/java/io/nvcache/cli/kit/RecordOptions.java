// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of where records go and how much a command says, for commands without a page. */
public final class RecordOptions {
  private static final int START_BYTES = 4096;

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

  /** Refuses a file that can't be written. */
  public void check(OptionReader reader) {
    checkFile(reader, "--json", json);
  }

  /** Refuses a file that can't be written. */
  public static void checkFile(OptionReader reader, String option, @Nullable Path file) {
    if (file != null && !canBeWritten(file)) {
      throw reader.bad(
          option, file.toString(), "a file that can be written, in a directory that exists");
    }
    if (file != null && Files.exists(file) && !isText(file)) {
      throw reader.bad(option, file.toString(), "a new file, or a text to replace");
    }
  }

  private static boolean canBeWritten(Path file) {
    return Files.exists(file)
        ? Files.isRegularFile(file) && Files.isWritable(file)
        : Files.isDirectory(parentOf(file)) && canBeMade(file);
  }

  /** A log, a cache or a key in its place would be lost. */
  private static boolean isText(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      for (byte one : in.readNBytes(START_BYTES)) {
        if (one == 0) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Tried, for some directories claim to be writable. */
  private static boolean canBeMade(Path file) {
    try {
      Files.createFile(file);
      Files.delete(file);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the directory that a file is in, or the root itself. */
  public static Path parentOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /** Returns whether progress is not to be shown. */
  public boolean isQuiet() {
    return quiet;
  }

  /** Returns what shows how far a command is. */
  public Progress progress(PrintWriter err) {
    return quiet ? Progress.silent() : Terminal.progress(err);
  }

  /** Writes the file that was asked for. */
  public void write(List<JsonRecords.Entry> records) throws IOException {
    if (json != null) {
      try (Writer out = Files.newBufferedWriter(json, StandardCharsets.UTF_8)) {
        JsonRecords.write(records, out);
      }
    }
  }
}
