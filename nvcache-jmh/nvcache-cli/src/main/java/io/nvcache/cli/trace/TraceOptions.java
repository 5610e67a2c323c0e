// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.trace;

import io.nvcache.BlockPlacement;
import io.nvcache.cli.kit.ByteSize;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.trace.TraceFormat;
import io.nvcache.trace.TraceFormatException;
import io.nvcache.trace.TraceSource;
import io.nvcache.trace.replay.Amount;
import io.nvcache.trace.replay.TracePolicies;
import io.nvcache.trace.replay.TracePolicy;
import io.nvcache.trace.replay.TraceRun.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of what is replayed, and how. */
final class TraceOptions {
  private static final long TIB = 1L << 40;

  @Option(
      names = "--trace",
      paramLabel = "TRACE",
      split = ",",
      description =
          "Traces, between commas: files (nvtr, csv, oracleGeneral, keys; plain or .gz), or made"
              + " up: zipf:, uniform:, latest:, phase:, scan-mix:, loop:, compaction:, drift:,"
              + " shift:, hotflat:, recent:, burst:, zipfscan:, with any of"
              + " blocks=100000:reads=1000000:writes=0.05:phases=4:scans=0.5:lookups=12:spread=16"
              + ":longest=4096.")
  private List<String> traces = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Format of all files: nvtr, csv, oracleGeneral or keys. Default: by their first bytes and"
              + " names.")
  private @Nullable String format;

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      defaultValue = "paper,paper-20,paper-4,default",
      description =
          "What to compare, between commas; all for all. --list-policies names them. Default:"
              + " ${DEFAULT-VALUE}.")
  private String policies = "";

  @Option(
      names = "--capacity",
      paramLabel = "LIST",
      defaultValue = "10%",
      description =
          "Sizes of the cache, between commas: bytes, 64MiB, or a percentage of the trace's"
              + " footprint. Default: ${DEFAULT-VALUE}.")
  private String capacities = "";

  @Option(
      names = "--budget",
      paramLabel = "LIST",
      defaultValue = "0.10",
      description =
          "Medium writes per lookup to aim at, between commas, 0 to 10. Default:"
              + " ${DEFAULT-VALUE}.")
  private String budgets = "";

  @Option(
      names = "--dram",
      paramLabel = "SIZE|PERCENT",
      defaultValue = "2%",
      description =
          "Size of the DRAM tier above, an LRU; 0 for traces that were recorded below one. Default:"
              + " ${DEFAULT-VALUE}.")
  private String dram = "";

  @Option(
      names = "--removal-weight",
      paramLabel = "RATIO",
      defaultValue = "0",
      description =
          "Medium writes that a removal counts for, 0 to 100: 0 as on this cache's media, where"
              + " freeing writes nothing, 1 as in the paper. Default: ${DEFAULT-VALUE}.")
  private String removalWeight = "";

  @Option(
      names = "--second",
      paramLabel = "N|PERCENT",
      defaultValue = "25%",
      description =
          "A trace has no clock, but LFRU evicts by time: how many lookups make a second. A number,"
              + " or a percentage of the blocks that the cache holds. Default: ${DEFAULT-VALUE}.")
  private String second = "";

  @Option(
      names = "--placement",
      paramLabel = "PLACEMENT",
      defaultValue = "in-place",
      description =
          "How blocks lie on the medium: in-place, or regions, as on flash; then removals weigh"
              + " nothing, and the cache takes as much memory as its capacity. Default:"
              + " ${DEFAULT-VALUE}.")
  private String placement = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random choices. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  /**
   * Reads what was asked for.
   *
   * @param threads replays that run at a time
   * @param bounds whether to reckon what could be reached by knowing the future
   */
  Settings read(OptionReader reader, int threads, boolean bounds) {
    TraceFormat known =
        format == null
            ? null
            : reader.oneOf("--format", format, TraceFormat.values(), TraceFormat::label);
    return new Settings(
        readTraces(reader),
        known,
        readPolicies(reader),
        list(capacities).map(text -> size(reader, "--capacity", text, 1)).toList(),
        list(budgets)
            .map(text -> Amount.number(text, reader.decimal("--budget", text, 0, 10)))
            .toList(),
        size(reader, "--dram", dram, 0),
        reader.decimal("--removal-weight", removalWeight, 0, 100),
        readSecond(reader),
        readPlacement(reader),
        reader.wholeNumber("--seed", seed, -OptionReader.MAX_SEED, OptionReader.MAX_SEED),
        threads,
        bounds);
  }

  private List<TraceSource> readTraces(OptionReader reader) {
    if (traces.isEmpty()) {
      throw reader.missing("--trace", "name a file or a generator, such as zipf:blocks=100000");
    }
    List<TraceSource> sources = new ArrayList<>();
    for (String text : traces) {
      try {
        TraceSource source = TraceSource.parse(text);
        Path file = source.file();
        if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
          throw reader.bad("--trace", text, "a file that can be read");
        }
        if (sources.stream().anyMatch(other -> other.name().equals(source.name()))) {
          throw reader.wrong(
              "--trace",
              "two traces are named '"
                  + source.name()
                  + "', and records have these names; name each once, and files differently");
        }
        sources.add(source);
      } catch (TraceFormatException e) {
        throw reader.wrong("--trace", String.valueOf(e.getMessage()));
      }
    }
    return sources;
  }

  private List<TracePolicy> readPolicies(OptionReader reader) {
    return policies.equals("all")
        ? TracePolicies.all()
        : reader.listOf(
            "--policy",
            policies,
            TracePolicies.named().toArray(new TracePolicy[0]),
            TracePolicy::name);
  }

  private static Stream<String> list(String text) {
    return Stream.of(text.split(",", -1)).map(String::strip);
  }

  private static Amount size(OptionReader reader, String option, String text, long leastBytes) {
    Optional<ByteSize> size = ByteSize.parse(text);
    if (size.isEmpty() || size.get().bytes(TIB) > TIB || size.get().bytes(TIB) < leastBytes) {
      throw reader.bad(
          option, text, "a size up to 1TiB, or a percentage of the footprint up to 100%");
    }
    ByteSize value = size.get();
    return value.unit() == ByteSize.Unit.BYTES
        ? Amount.number(text, value.amount())
        : Amount.share(text, value.amount() / 100);
  }

  private BlockPlacement readPlacement(OptionReader reader) {
    BlockPlacement read =
        reader.oneOf("--placement", placement, BlockPlacement.values(), TraceOptions::label);
    if (read == BlockPlacement.REGIONS
        && reader.decimal("--removal-weight", removalWeight, 0, 100) > 0) {
      throw reader.wrong(
          "--removal-weight", "in regions freeing writes nothing; leave it out, or place in-place");
    }
    return read;
  }

  private static String label(BlockPlacement placement) {
    return placement.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Amount readSecond(OptionReader reader) {
    return second.endsWith("%")
        ? Amount.share(second, reader.percentage("--second", second, 0.001, 100_000))
        : Amount.number(second, (double) reader.wholeNumber("--second", second, 1, 1_000_000_000));
  }
}
