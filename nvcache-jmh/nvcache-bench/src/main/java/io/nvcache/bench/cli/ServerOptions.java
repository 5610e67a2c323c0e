// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.clients.ServerBase;
import io.nvcache.cli.kit.OptionReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that start servers of HBase. */
final class ServerOptions {
  private static final long MIB = 1L << 20;

  @Option(
      names = "--dram",
      paramLabel = "SIZE",
      defaultValue = "24MiB",
      description = "Size of HBase's DRAM cache, 4MiB to 512MiB. Default: ${DEFAULT-VALUE}.")
  private String dram = "";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "What a server may use more once it serves, its page cache included,"
              + " 64MiB to 1TiB; for Linux, as root. Default: no limit.")
  private @Nullable String memory;

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description =
          "Where data, caches and logs go for the time of the run. Default: the system's temporary"
              + " directory.")
  private @Nullable Path directory;

  @Option(
      names = "--server-class-path",
      paramLabel = "FILE",
      description = "A file with the class path of an HBase server with NVCache's one jar.")
  private @Nullable Path serverClassPath;

  /**
   * Returns what the servers have in common.
   *
   * @param delay of each request to a store file
   */
  ServerBase base(OptionReader reader, Duration delay) throws IOException {
    return new ServerBase(
        reader.size("--dram", dram, 4 * MIB, 512 * MIB),
        delay,
        memory == null ? 0 : reader.size("--memory", memory, 64 * MIB, 1L << 40),
        classPath(reader, "--server-class-path", serverClassPath));
  }

  Path directory(OptionReader reader) {
    return reader.directory("--directory", directory);
  }

  /** Returns the class path that the file of an option holds. */
  static String classPath(OptionReader reader, String option, @Nullable Path file)
      throws IOException {
    if (file == null) {
      throw reader.missing(option, "scripts/hbase-clients gives it");
    }
    if (!Files.isReadable(file)) {
      throw reader.bad(option, file.toString(), "a file that can be read");
    }
    return Files.readString(file).strip();
  }
}
