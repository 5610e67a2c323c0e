// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.FlashInspection;
import io.nvcache.FlashInspection.FileShare;
import io.nvcache.FlashInspection.Header;
import io.nvcache.FlashInspection.RegionState;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.control.RestoreLoss;
import io.nvcache.medium.KeyFile;
import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code inspect}: what a warm restart would find. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      KnownCommand.INSPECT_SUMMARY,
      "Reads the superblock, and the header and footer of each region; no block."
    })
final class InspectCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "How many files to list, those with the most blocks, 0 to 1000000000. Default:"
              + " ${DEFAULT-VALUE}.")
  private String files = "";

  @Option(names = "--regions", description = "List all regions.")
  private boolean regions;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "The key of a cache that is encrypted under one from outside.")
  private @Nullable Path keyFile;

  @Mixin private final RecordOptions output = new RecordOptions();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      split = ",",
      description = "The file or the block device; of a cache on several drives, all of them.")
  private List<Path> drives = List.of();

  @Override
  public Integer call() throws IOException {
    OptionReader reader = new OptionReader(spec.commandLine());
    long listed = reader.wholeNumber("--files", files, 0, 1_000_000_000);
    output.check(reader);
    FlashInspection seen =
        FlashInspection.of(drives, keyFile == null ? null : new KeyFile(keyFile));
    PrintWriter out = spec.commandLine().getOut();
    out.println("file     " + seen.path() + ", " + seen.lengthBytes() + " bytes");
    boolean warm = seen.coldReason().isEmpty();
    out.println("restart  " + (warm ? "warm" : "cold: " + seen.coldReason()));
    seen.header().ifPresent(header -> print(header, out));
    if (warm) {
      print(seen, listed, out);
    }
    out.flush();
    output.write(records(seen, listed));
    return 0;
  }

  private static void print(Header header, PrintWriter out) {
    out.println(
        "cache    "
            + header.instance()
            + ", "
            + (header.clean() ? "closed at " : "not closed; last superblock at ")
            + header.written()
            + ", superblock "
            + header.sequence());
    out.println(
        "division capacity of "
            + header.capacityBytes()
            + " bytes in regions of "
            + header.regionBytes()
            + ", granules of "
            + header.granuleBytes()
            + ", aligned to "
            + header.alignmentBytes());
    if (header.daySpareBytes() >= 0) {
      out.println("day      " + header.daySpareBytes() + " bytes of its write limit were left");
    }
  }

  private void print(FlashInspection seen, long listed, PrintWriter out) {
    out.println("regions  " + seen.regions().size() + ": " + states(seen));
    long listings = seen.files().stream().mapToLong(FileShare::listedBlocks).sum();
    long bytes = seen.files().stream().mapToLong(FileShare::listedBytes).sum();
    out.println(
        "blocks   "
            + seen.blocks()
            + " of "
            + seen.files().size()
            + " files, listed "
            + listings
            + " times with "
            + bytes
            + " bytes");
    seen.files().stream()
        .limit(listed)
        .forEach(
            share ->
                out.println(
                    "  "
                        + share.identity()
                        + ": "
                        + share.blocks()
                        + " blocks, listed "
                        + share.listedBlocks()
                        + " times with "
                        + share.listedBytes()
                        + " bytes"));
    int revoked = seen.header().map(header -> header.revokedFiles().size()).orElse(0);
    if (revoked > 0) {
      out.println("revoked  " + revoked + " files, of which a block was invalidated");
    }
    if (regions) {
      seen.regions().forEach(region -> print(region, out));
    }
  }

  private static void print(RegionState region, PrintWriter out) {
    out.println(
        "region   "
            + region.number()
            + ": "
            + state(region.loss())
            + (region.generation() < 0 ? "" : ", generation " + region.generation())
            + (region.loss() == null
                ? ", " + region.blocks() + " blocks, " + region.bytes() + " bytes"
                : ""));
  }

  private static String state(@Nullable RestoreLoss loss) {
    return loss == null ? "complete" : loss.name().toLowerCase(Locale.ROOT);
  }

  /** Returns how many regions there are of each state. */
  private static Map<String, Long> states(FlashInspection seen) {
    Map<String, Long> states = new TreeMap<>();
    seen.regions().forEach(region -> states.merge(state(region.loss()), 1L, Long::sum));
    return states;
  }

  private static List<JsonRecords.Entry> records(FlashInspection seen, long listed) {
    Map<String, String> labels = Map.of("file", seen.path().toString());
    List<JsonRecords.Entry> records = new ArrayList<>();
    boolean warm = seen.coldReason().isEmpty();
    JsonRecords.add(records, "inspect_warm", labels, warm ? 1 : 0, "boolean");
    JsonRecords.add(records, "inspect_file_bytes", labels, (double) seen.lengthBytes(), "bytes");
    seen.header()
        .ifPresent(
            header -> {
              boolean clean = header.clean();
              JsonRecords.add(records, "inspect_clean", labels, clean ? 1 : 0, "boolean");
              double capacity = (double) header.capacityBytes();
              JsonRecords.add(records, "inspect_capacity_bytes", labels, capacity, "bytes");
              int revoked = header.revokedFiles().size();
              JsonRecords.add(records, "inspect_revoked_files", labels, revoked, "files");
            });
    if (warm) {
      states(seen)
          .forEach(
              (state, count) ->
                  JsonRecords.add(
                      records,
                      "inspect_regions",
                      Map.of("file", seen.path().toString(), "state", state),
                      (double) count,
                      "regions"));
      JsonRecords.add(records, "inspect_blocks", labels, (double) seen.blocks(), "blocks");
      JsonRecords.add(records, "inspect_files", labels, seen.files().size(), "files");
      for (FileShare share : seen.files().stream().limit(listed).toList()) {
        Map<String, String> identity =
            Map.of("file", seen.path().toString(), "identity", share.identity().toString());
        double blocks = (double) share.blocks();
        JsonRecords.add(records, "inspect_file_blocks", identity, blocks, "blocks");
      }
    }
    return records;
  }
}
