// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.FlashInspection;
import io.nvcache.FlashInspection.FileShare;
import io.nvcache.FlashInspection.Header;
import io.nvcache.FlashInspection.RegionState;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.control.RestoreLoss;
import io.nvcache.medium.KeyFile;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code inspect}: what a warm restart would find. */
@Command(
    name = "inspect",
    description = {
      KnownCommand.INSPECT_SUMMARY,
      "Reads the superblock, and the header and footer of each region; no block."
    })
final class InspectCommand extends Action {
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
    OptionReader reader = reader();
    long listed = reader.wholeNumber("--files", files, 0, 1_000_000_000);
    if (drives.isEmpty() || drives.stream().anyMatch(drive -> drive.toString().isBlank())) {
      String named = drives.stream().map(Path::toString).collect(Collectors.joining(","));
      throw reader.bad("FILE", named, "the file of a flash medium, or several between commas");
    }
    output.check(reader);
    FlashInspection seen =
        FlashInspection.of(drives, keyFile == null ? null : new KeyFile(keyFile));
    PrintWriter out = out();
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
    Measurements ofFile = new Measurements().with("file", seen.path());
    boolean warm = seen.coldReason().isEmpty();
    ofFile.flag("inspect_warm", warm).add("inspect_file_bytes", seen.lengthBytes(), "bytes");
    seen.header()
        .ifPresent(
            header ->
                ofFile
                    .flag("inspect_clean", header.clean())
                    .add("inspect_capacity_bytes", header.capacityBytes(), "bytes")
                    .add("inspect_revoked_files", header.revokedFiles().size(), "files"));
    if (warm) {
      states(seen)
          .forEach(
              (state, count) ->
                  ofFile.with("state", state).add("inspect_regions", count, "regions"));
      ofFile
          .add("inspect_blocks", seen.blocks(), "blocks")
          .add("inspect_files", seen.files().size(), "files");
      for (FileShare share : seen.files().stream().limit(listed).toList()) {
        ofFile
            .with("identity", share.identity())
            .add("inspect_file_blocks", share.blocks(), "blocks");
      }
    }
    return ofFile.records();
  }
}
