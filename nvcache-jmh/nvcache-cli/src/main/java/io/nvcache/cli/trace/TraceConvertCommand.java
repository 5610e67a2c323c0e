// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.trace;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.report.Figures;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceFiles;
import io.nvcache.trace.TraceFormat;
import io.nvcache.trace.TraceFormatException;
import io.nvcache.trace.TraceSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code trace convert}: from one format to another, or from a generator to a file. */
@Command(
    name = "convert",
    customSynopsis = "nvcache trace convert [OPTION]... FROM TO",
    description = {
      "Writes a trace in another format, compressed if TO ends in .gz.",
      "oracleGeneral and keys hold reads only; writes and frees are left out there."
    })
final class TraceConvertCommand extends Action {
  @Parameters(
      index = "0",
      paramLabel = "FROM",
      description = "A trace: a file, or made up as for nvcache trace.")
  private String from = "";

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(index = "1", paramLabel = "TO", description = "The file to write; must not exist.")
  private Path to;

  @Option(
      names = "--from-format",
      paramLabel = "FORMAT",
      description = "nvtr, csv, oracleGeneral or keys. Default: by first bytes and name.")
  private @Nullable String fromFormat;

  @Option(
      names = "--to-format",
      paramLabel = "FORMAT",
      description = "nvtr, csv, oracleGeneral or keys. Default: by name.")
  private @Nullable String toFormat;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of a trace that is made up. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  @SuppressWarnings("UnusedVariable") // picocli reads its options
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Override
  public Integer call() throws IOException {
    OptionReader reader = reader();
    TraceFormat target = target(reader);
    if (Files.exists(to) || !Files.isDirectory(RecordOptions.parentOf(to))) {
      throw reader.bad("TO", to.toString(), "a new file in a directory that exists");
    }
    Trace trace =
        source(reader)
            .open(
                fromFormat == null ? null : format(reader, "--from-format", fromFormat),
                reader.wholeNumber("--seed", seed, -OptionReader.MAX_SEED, OptionReader.MAX_SEED));
    TraceFiles.write(trace, to, target);
    PrintWriter out = out();
    out.printf(
        "%s records, %s of them reads, of %s blocks; footprint %s%n",
        Figures.count((long) trace.records()),
        Figures.count(trace.lookups()),
        Figures.count((long) trace.blocks()),
        Figures.bytes(trace.footprintBytes()));
    out.flush();
    return 0;
  }

  private TraceSource source(OptionReader reader) {
    try {
      TraceSource source = TraceSource.parse(from);
      Path file = source.file();
      if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
        throw reader.bad("FROM", from, "a file that can be read");
      }
      return source;
    } catch (TraceFormatException e) {
      throw reader.wrong("FROM", String.valueOf(e.getMessage()));
    }
  }

  private TraceFormat target(OptionReader reader) {
    if (toFormat != null) {
      return format(reader, "--to-format", toFormat);
    }
    try {
      return TraceFiles.ofName(to);
    } catch (TraceFormatException e) {
      throw reader.bad(
          "TO", to.toString(), "named .nvt, .csv, .txt or .oracleGeneral; or give --to-format");
    }
  }

  private static TraceFormat format(OptionReader reader, String option, String text) {
    return reader.oneOf(option, text, TraceFormat.values(), TraceFormat::label);
  }
}
