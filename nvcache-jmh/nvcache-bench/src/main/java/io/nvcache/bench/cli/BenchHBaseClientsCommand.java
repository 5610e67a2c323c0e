// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.clients.ClientsBench;
import io.nvcache.bench.clients.ClientsEngine;
import io.nvcache.bench.clients.ClientsReport;
import io.nvcache.bench.clients.ClientsSettings;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench hbase-clients}: HBase's load generators against a server. */
@Command(
    name = "hbase-clients",
    customSynopsis = "nvcache bench hbase-clients [OPTION]...",
    description = {
      "Runs HBase's PerformanceEvaluation and LoadTestTool against a standalone server of HBase,"
          + " with nothing, BucketCache or NVCache as its second level, one after the other. Prints"
          + " tables in Markdown.",
      "scripts/hbase-clients calls it with the class paths that Maven resolves."
    })
final class BenchHBaseClientsCommand extends Action {
  private static final long MIB = 1L << 20;

  @Option(
      names = "--engines",
      paramLabel = "LIST",
      description =
          "none, bucket-offheap, bucket-file, nvcache-native, nvcache-flash. Default: all.")
  private @Nullable String engines;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      defaultValue = "96MiB",
      description = "Size of each second level, 48MiB to 64GiB. Default: ${DEFAULT-VALUE}.")
  private String capacity = "";

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "240000",
      description = "Rows of a kilobyte, 1000 to 100000000. Default: ${DEFAULT-VALUE}.")
  private String rows = "";

  @Option(
      names = "--reads",
      paramLabel = "N",
      defaultValue = "8000",
      description =
          "Reads to measure, 100 to 100000000, not more than rows; twice as many warm a server up."
              + " Default: ${DEFAULT-VALUE}.")
  private String reads = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads that read at once, 1 to 256. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--verified",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Keys that LoadTestTool writes, reads and verifies at the end, 1 to 100000000. Default:"
              + " ${DEFAULT-VALUE}.")
  private String verified = "";

  @Option(
      names = "--delay",
      paramLabel = "MILLISECONDS",
      defaultValue = "20",
      description =
          "By how much each request to a store file takes longer, 0 to 1000. Default:"
              + " ${DEFAULT-VALUE}.")
  private String delay = "";

  @Option(
      names = "--client-class-path",
      paramLabel = "FILE",
      description = "A file with the class path of HBase's load generators.")
  private @Nullable Path clientClassPath;

  @Mixin private final ServerOptions servers = new ServerOptions();

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  BenchHBaseClientsCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    OptionReader reader = reader();
    ClientsSettings settings = settings(reader);
    output.check(reader);
    Measurements measured = new ClientsBench(settings, output.progress(err()), stop).run();
    PrintWriter out = out();
    out.println();
    out.println(ClientsReport.tables(measured));
    out.println();
    out.println(ClientsReport.LEGEND);
    out.flush();
    output.write(measured.records());
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private ClientsSettings settings(OptionReader reader) throws IOException {
    int rowCount = (int) reader.wholeNumber("--rows", rows, 1000, 100_000_000);
    return new ClientsSettings(
        reader.listOf("--engines", engines, ClientsEngine.values(), ClientsEngine::label),
        reader.size("--capacity", capacity, 48 * MIB, 64L << 30),
        rowCount,
        (int) reader.wholeNumber("--reads", reads, 100, rowCount),
        (int) reader.wholeNumber("--threads", threads, 1, 256),
        (int) reader.wholeNumber("--verified", verified, 1, 100_000_000),
        servers.base(reader, Duration.ofMillis(reader.wholeNumber("--delay", delay, 0, 1000))),
        ServerOptions.classPath(reader, "--client-class-path", clientClassPath),
        servers.directory(reader));
  }
}
