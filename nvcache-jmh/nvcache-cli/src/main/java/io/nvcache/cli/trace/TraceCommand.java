// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.trace;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.OutputOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.ResultTable;
import io.nvcache.trace.replay.TraceGroup;
import io.nvcache.trace.replay.TracePolicies;
import io.nvcache.trace.replay.TraceRecords;
import io.nvcache.trace.replay.TraceReport;
import io.nvcache.trace.replay.TraceRun;
import io.nvcache.trace.replay.TraceRun.Settings;
import io.nvcache.trace.replay.TraceTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code trace}: policies side by side on recorded requests. */
@Command(
    name = "trace",
    customSynopsis = {
      "nvcache trace --trace TRACE[,TRACE]... [OPTION]...",
      "      nvcache trace convert [OPTION]... FROM TO"
    },
    subcommands = TraceConvertCommand.class,
    description = {
      KnownCommand.TRACE_SUMMARY,
      "The same options give the same figures on any machine."
    })
public final class TraceCommand extends Action {
  @Option(names = "--list-policies", description = "List the policies and end.")
  private boolean listPolicies;

  @Mixin private final TraceOptions options = new TraceOptions();

  @Option(
      names = "--bounds",
      description = "Reckon what could be reached by knowing the future; implied by --report.")
  private boolean bounds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Replays that run at a time, 1 to 1024. Default: as many as processors.")
  private @Nullable String threads;

  @Mixin private final OutputOptions output = new OutputOptions();

  private final StopSignal stop;

  public TraceCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = out();
    if (listPolicies) {
      TracePolicies.named().forEach(p -> out.printf("%-22s %s%n", p.name(), p.summary()));
      out.flush();
      return 0;
    }
    OptionReader reader = reader();
    int replays =
        threads == null
            ? Runtime.getRuntime().availableProcessors()
            : (int) reader.wholeNumber("--threads", threads, 1, 1024);
    Settings settings = options.read(reader, replays, bounds || output.wantsReport());
    output.check(reader);
    List<TraceGroup> groups = measure(settings);
    List<ResultTable> tables = groups.stream().flatMap(g -> TraceTables.all(g).stream()).toList();
    Terminal.print(out, tables, List.of(TraceTables.LEGEND));
    if (!groups.isEmpty()) {
      output.write(
          TraceRecords.of(groups).records(), when -> TraceReport.of(groups, asked(), when));
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private List<TraceGroup> measure(Settings settings) throws IOException, InterruptedException {
    try {
      return new TraceRun(settings, output.progress(err()), stop).run();
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "out of memory: "
              + e.getMessage()
              + "; raise the heap with NVCACHE_JVM_OPTS=-Xmx8g, or lower --threads",
          e);
    }
  }
}
