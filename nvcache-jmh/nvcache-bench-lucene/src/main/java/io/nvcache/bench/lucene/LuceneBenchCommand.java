// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench lucene}. */
@Command(
    name = "lucene",
    customSynopsis = "nvcache bench lucene [OPTION]...",
    description = {
      "Searches a made-up index through Lucene's own directories, through a Caffeine block cache,"
          + " through parts of files as OpenSearch keeps them, and through NVCache.",
      "Terms and queries follow Zipf's law. A delay of each read simulates remote storage."
    })
final class LuceneBenchCommand extends Action {
  @Option(
      names = "--engines",
      paramLabel = "LIST",
      description =
          "niofs, mmap, caffeine-direct, default-warm (beyond memory only), nvcache. Default: all.")
  private @Nullable String engines;

  @Option(
      names = "--scenarios",
      paramLabel = "LIST",
      description = "beyond-memory, warm, merge. Default: all.")
  private @Nullable String scenarios;

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "80000",
      description =
          "Documents of the index, 1000 to 100000000; each takes a little more than a KiB. Default:"
              + " ${DEFAULT-VALUE}.")
  private String documents = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that search, 1 to 256. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "For how long each engine is measured in a scenario, after as long a warm-up, 1 to 3600."
              + " Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--latency-us",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "What a read of the delegate takes beyond memory, in microseconds, 0 to 1000000. Default:"
              + " ${DEFAULT-VALUE}.")
  private String latency = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the documents and queries. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description =
          "Where the index goes for the time of the run. Default: the system's temporary"
              + " directory.")
  private @Nullable Path directory;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      description = "What the caches hold beyond memory. Default: a quarter of the index.")
  private @Nullable String capacity;

  @Option(
      names = "--index",
      paramLabel = "DIRECTORY",
      description =
          "Where the index stays for further runs with the same documents and seed; written if it"
              + " is not there. Default: it is deleted at the end.")
  private @Nullable Path index;

  @Mixin private final RecordOptions records = new RecordOptions();

  private final StopSignal stop;

  LuceneBenchCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    OptionReader reader = reader();
    LuceneBenchSettings settings = settings(reader);
    records.check(reader);
    Measurements measured = new LuceneBench(settings, records.progress(err()), stop).run();
    Terminal.print(
        out(),
        LuceneBenchReport.tables(measured, settings.documents()),
        List.of(LuceneBenchReport.LEGEND));
    records.write(measured.records());
    if (measured.sum("wrong_results") > 0) {
      throw new IllegalStateException("an engine found other documents than the plain index has");
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private LuceneBenchSettings settings(OptionReader reader) {
    Path place = reader.directory("--directory", directory);
    Duration time = Duration.ofSeconds(reader.wholeNumber("--seconds", seconds, 1, 3600));
    return new LuceneBenchSettings(
        reader.listOf("--engines", engines, LuceneEngine.values(), LuceneEngine::label),
        reader.listOf("--scenarios", scenarios, LuceneScenario.values(), LuceneScenario::label),
        (int) reader.wholeNumber("--documents", documents, 1000, 100_000_000),
        (int) reader.wholeNumber("--threads", threads, 1, 256),
        time,
        time,
        Duration.ofNanos(1000 * reader.wholeNumber("--latency-us", latency, 0, 1_000_000)),
        reader.wholeNumber("--seed", seed, 0, Integer.MAX_VALUE),
        capacity == null ? null : reader.size("--capacity", capacity, 1 << 20, 1L << 50),
        place,
        index);
  }
}
