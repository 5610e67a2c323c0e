// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.model.figures.FigureResult;
import io.nvcache.model.figures.Reproduction;
import io.nvcache.model.figures.Reproduction.Settings;
import io.nvcache.model.figures.Reproduction.Settings.Extent;
import io.nvcache.model.figures.ReproductionRecords;
import io.nvcache.model.figures.ReproductionReport;
import io.nvcache.model.figures.ReproductionTables;
import io.nvcache.model.figures.Row;
import io.nvcache.model.tier.Systems;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code reproduce}: the papers' figures, by the device model. */
@Command(
    name = "reproduce",
    customSynopsis = "nvcache reproduce [--figure ID...] [--smoke] [--strict] [OPTION]...",
    description = {
      KnownCommand.REPRODUCE_SUMMARY,
      "The same options give the same figures on any machine."
    })
final class ReproduceCommand extends Action {
  private static final int FINEST_SCALE = 50;
  private static final int COARSEST_SCALE = 2000;

  @Option(names = "--list", description = "List the figures and the systems, and end.")
  private boolean list;

  @Option(
      names = "--figure",
      paramLabel = "ID",
      arity = "1..*",
      description =
          "Which figures, with commas or blanks between them or the option again; --list names"
              + " them. Default: all.")
  private List<String> figures = List.of();

  @Option(
      names = "--smoke",
      description = "Only the few rows that tell in seconds whether the model is sound.")
  private boolean smoke;

  @Option(names = "--strict", description = "End with 1 if a row is outside its bar.")
  private boolean strict;

  @Option(
      names = "--scale",
      paramLabel = "LIST",
      defaultValue = "1000",
      description =
          "What sizes and durations are divided by, between commas, 50 to 2000. Default:"
              + " ${DEFAULT-VALUE}.")
  private String scales = "";

  @Option(
      names = "--seed",
      paramLabel = "LIST",
      defaultValue = "1",
      description =
          "Seeds of all random choices, between commas. Default: ${DEFAULT-VALUE}. Figures"
              + " without a bar are made for the first scale and seed only.")
  private String seeds = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Runs at a time, 1 to 1024. Default: as many as processors.")
  private @Nullable String threads;

  @Option(
      names = "--doc",
      paramLabel = "FILE",
      description = "Write a page with tables and plots there, as Markdown and images/ next to it.")
  private @Nullable Path doc;

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  ReproduceCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = out();
    if (list) {
      Reproduction.figureIds().forEach(out::println);
      out.println();
      Systems.all().forEach(s -> out.printf("%-24s %s%n", s.name(), s.summary()));
      out.flush();
      return 0;
    }
    OptionReader reader = reader();
    Settings settings = read(reader);
    Reproduction reproduction = new Reproduction(settings, output.progress(err()), stop);
    if (reproduction.isEmpty()) {
      throw reader.wrong("--smoke", "none of these figures has a smoke row; choose others");
    }
    List<FigureResult> results = reproduction.run();
    TextTable style = new TextTable(Terminal.charset());
    results.forEach(figure -> out.println("\n" + ReproductionTables.draw(figure, style)));
    output.write(ReproductionRecords.of(results));
    Path page = doc;
    if (page != null && !results.isEmpty()) {
      ReproductionReport.write(results, page);
    }
    List<Row> gated =
        results.stream().flatMap(f -> f.rows().stream()).filter(Row::isGated).toList();
    long outside = sum(gated, out);
    if (stop.isRequested()) {
      return ExitCode.INTERRUPTED;
    }
    if (strict && gated.isEmpty()) {
      // Else a gate that checks nothing would be green.
      throw reader.wrong("--strict", "no row of these figures has a bar; choose others");
    }
    return strict && outside > 0 ? ExitCode.FAILED : 0;
  }

  /** Says how many rows are outside their bars, and which. */
  private static long sum(List<Row> gated, PrintWriter out) {
    List<Row> outside = gated.stream().filter(row -> !row.isInside()).toList();
    out.printf("%n%d of %d rows inside their bars%n", gated.size() - outside.size(), gated.size());
    outside.forEach(
        row ->
            out.printf(
                "outside: %s, %s, %s, %s: %.4g%n",
                row.figure(), row.row(), row.system(), row.workload(), row.model()));
    out.flush();
    return outside.size();
  }

  private Settings read(OptionReader reader) {
    output.check(reader);
    RecordOptions.checkFile(reader, "--doc", doc);
    List<String> ids = Reproduction.figureIds();
    List<String> chosen =
        figures.isEmpty() || figures.equals(List.of("all"))
            ? ids
            : reader.listOf(
                "--figure", String.join(",", figures), ids.toArray(new String[0]), id -> id);
    List<Integer> readScales =
        reader.wholeNumbers("--scale", scales, FINEST_SCALE, COARSEST_SCALE).stream()
            .map(Math::toIntExact)
            .toList();
    List<Long> readSeeds =
        reader.wholeNumbers("--seed", seeds, -OptionReader.MAX_SEED, OptionReader.MAX_SEED);
    return new Settings(
        chosen, smoke ? Extent.SMOKE : Extent.FULL, readScales, readSeeds, readThreads(reader));
  }

  private int readThreads(OptionReader reader) {
    return threads == null
        ? Runtime.getRuntime().availableProcessors()
        : (int) reader.wholeNumber("--threads", threads, 1, 1024);
  }
}
