// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.kit.MediumOptions;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.device.MediumChoice;
import io.nvcache.ycsb.CacheSettings;
import io.nvcache.ycsb.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the second tier. */
final class CacheOptions {
  private static final long TIB = 1L << 40;
  private static final long PAGE_BYTES = 4096;

  /** Of the longest; a cache takes its space in extents of at least eight of them. */
  private static final int BLOCKS_AT_LEAST = 16;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE|PERCENT",
      defaultValue = "25%",
      description =
          "The second tier's size, 4MiB (more with large blocks) to 1TiB, or a percentage of the"
              + " data. Default: ${DEFAULT-VALUE}.")
  private String capacity = "";

  @Option(
      names = "--medium",
      paramLabel = "LIST",
      defaultValue = "native",
      description =
          "What the second tier is on, with commas: native (memory), mapped (a file, see --path),"
              + " flash (a file, past the page cache, see --path), llpl (a heap on persistent"
              + " memory, see --path) or emulated-nvram (memory at the speed of the paper's"
              + " Optane). Default: ${DEFAULT-VALUE}.")
  private String medium = "";

  @Option(
      names = "--path",
      paramLabel = "FILE",
      description =
          "The file of --medium mapped, flash or llpl. It must not exist, except that for llpl it"
              + " may be a directory for heaps. Each policy adds its name to the file's, which is"
              + " removed at the end. Default for llpl: a file in --directory.")
  private @Nullable Path path;

  @Option(
      names = "--nvram-scale",
      paramLabel = "FACTOR",
      description =
          "Speed of --medium emulated-nvram, 0.001 to 1000; 1 = the paper's two DIMMs. Default: 1.")
  private @Nullable String nvramScale;

  @Option(
      names = "--overhead-target",
      paramLabel = "PERCENT",
      defaultValue = "10%",
      description =
          "Medium writes per lookup that policies aim at, 0%% to 1000%%. Default:"
              + " ${DEFAULT-VALUE}.")
  private String overheadTarget = "";

  @Option(
      names = "--small-bypass-dram",
      paramLabel = "SIZE|PERCENT",
      defaultValue = "12.5%",
      description =
          "DRAM that the cache takes the page cache to have, 0 to 1TiB, or a percentage of the"
              + " data: a data set that fits is not cached; 0 turns that off. Default:"
              + " ${DEFAULT-VALUE}, so that the data set doesn't fit.")
  private String smallBypassDram = "";

  @Option(
      names = "--eviction-window",
      paramLabel = "SECONDS",
      defaultValue = "1800",
      description =
          "How long a block goes unused before the paper's LFRU may evict it, 1 to 31536000."
              + " Default: ${DEFAULT-VALUE}, as in the paper.")
  private String evictionWindow = "";

  CacheSettings read(OptionReader reader, StoreOptions data, Path directory) {
    long dataBytes = data.valueBytes();
    List<MediumChoice> media =
        reader.listOf("--medium", medium, MediumChoice.values(), MediumChoice::label);
    Optional<Path> place = place(reader, media, directory);
    long minBytes = (long) BLOCKS_AT_LEAST * CacheSettings.maxBlockBytes(data.blockBytes());
    long bytes = reader.sizeOfData("--capacity", capacity, dataBytes, minBytes, TIB);
    return new CacheSettings(
        media,
        place.orElse(null),
        nvramScale(reader, media),
        bytes / PAGE_BYTES * PAGE_BYTES,
        reader.percentage("--overhead-target", overheadTarget, 0, 1000),
        reader.sizeOfData("--small-bypass-dram", smallBypassDram, dataBytes, 0, TIB),
        Duration.ofSeconds(reader.wholeNumber("--eviction-window", evictionWindow, 1, 31_536_000)));
  }

  private Optional<Path> place(OptionReader reader, List<MediumChoice> media, Path directory) {
    List<MediumChoice> inFiles = media.stream().filter(choice -> !choice.isMemory()).toList();
    if (inFiles.size() > 1) {
      throw reader.bad(
          "--medium",
          medium,
          "a list with one of " + MediumChoice.labelsInFiles("and") + " at most");
    }
    MediumChoice choice = inFiles.isEmpty() ? media.get(0) : inFiles.get(0);
    return Optional.ofNullable(
        MediumOptions.read(reader, choice.label(), path, null, directory).path());
  }

  private double nvramScale(OptionReader reader, List<MediumChoice> media) {
    MediumChoice choice =
        media.contains(MediumChoice.EMULATED_NVRAM) ? MediumChoice.EMULATED_NVRAM : media.get(0);
    return MediumOptions.readScale(reader, choice, nvramScale);
  }
}
