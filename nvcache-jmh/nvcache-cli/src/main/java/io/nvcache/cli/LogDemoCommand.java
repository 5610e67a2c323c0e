// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.H2Comparison.Result;
import io.nvcache.cli.H2Comparison.Way;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code log demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Lets stock H2 commit with WRITE_DELAY=0: as it is, with each write synced, and through a"
            + " log on an emulation of persistent memory. Takes half a minute.")
final class LogDemoCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--h2",
      paramLabel = "JAR",
      description = "The jar of H2. Default: the one that the build has put beside this program.")
  private @Nullable Path h2;

  @Option(
      names = "--log-dir",
      paramLabel = "DIRECTORY",
      description = "Where the logs go, memory best. Default: /dev/shm, or that of --dir.")
  private @Nullable Path logDirectory;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description = "Where the databases go, on a disk. Default: that for temporary files.")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description = "Seconds that each way runs, 1 to 600. Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Mixin private final RecordOptions output = new RecordOptions();

  @Override
  public Integer call() throws IOException {
    OptionReader reader = new OptionReader(spec.commandLine());
    output.check(reader);
    long each = reader.wholeNumber("--seconds", seconds, 1, 600);
    Path driver = H2Comparison.driver(h2);
    PrintWriter out = spec.commandLine().getOut();
    Map<Way, Result> results;
    try (BenchLogs bench = new BenchLogs(logDirectory, reader.directory("--dir", directory))) {
      H2Comparison comparison = bench.h2(driver);
      if (driver == null || comparison == null) {
        throw new IOException("there is no H2 beside this program; name its jar with --h2");
      }
      out.println("H2 of " + driver.getFileName() + ", WRITE_DELAY=0, one thread, files on a disk");
      out.println("log: " + bench.logs() + ", EMULATED persistent memory: not durable itself");
      out.flush();
      results = comparison.run(1, each);
    }
    List<JsonRecords.Entry> records = new ArrayList<>();
    results.forEach(
        (way, result) -> {
          out.println(
              String.format(
                  Locale.ROOT,
                  "%8.0f commits/s, median %6.0f µs, p99 %7.0f µs  %s",
                  result.commitsPerSecond(),
                  result.medianMicros(),
                  result.p99Micros(),
                  way.words()));
          Map<String, String> labels = Map.of("way", way.name().toLowerCase(Locale.ROOT));
          JsonRecords.add(records, "h2_commits_per_second", labels, result.commitsPerSecond(), "");
          JsonRecords.add(records, "h2_commit_p50", labels, result.medianMicros(), "us");
          JsonRecords.add(records, "h2_commit_p99", labels, result.p99Micros(), "us");
        });
    out.flush();
    output.write(records);
    return 0;
  }
}
