// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.cli.kit.MediumOptions;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.device.MediumChoice;
import io.nvcache.stress.StressRun.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the command {@code stress}. */
final class StressOptions {
  private static final long GIB = 1L << 30;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How long, 0.01 to 100000. Default: ${DEFAULT-VALUE}.")
  private String minutes = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "That use the cache at once, 1 to 256. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--medium",
      paramLabel = "MEDIUM",
      defaultValue = "native",
      description =
          "native (memory), mapped (a file), flash (a file, past the page cache), llpl (a heap on"
              + " persistent memory) or emulated-nvram. Default: ${DEFAULT-VALUE}.")
  private String medium = "";

  @Option(
      names = "--path",
      paramLabel = "PATH",
      split = ",",
      description =
          "The file of --medium mapped, flash or llpl; for flash also several, one on each drive,"
              + " of which one is deleted in the middle of every other round. A number is added"
              + " for each round, and the files are removed.")
  private List<Path> paths = List.of();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "16MiB",
      description =
          "Size of the medium: small, so that blocks displace each other. 1MiB to 1GiB. Default:"
              + " ${DEFAULT-VALUE}.")
  private String size = "";

  @Option(
      names = "--faults",
      paramLabel = "LIST",
      defaultValue = "all",
      description =
          "What the medium suffers from: all, none, or some of read-error, write-error, short-read,"
              + " torn-write, bit-flip, latency, stall, out-of-space, outage. Default:"
              + " ${DEFAULT-VALUE}.")
  private String faults = "";

  @Option(
      names = "--fault-rate",
      paramLabel = "RATIO",
      defaultValue = "0.0005",
      description =
          "Probability of each kind of fault at each operation of the medium, 0 to 1; stalls and"
              + " outages come 200 times as rarely. Default: ${DEFAULT-VALUE}.")
  private String faultRate = "";

  @Option(
      names = "--round",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "After which the cache is closed under its users and another one is built, 0.1 to 3600."
              + " Default: ${DEFAULT-VALUE}.")
  private String round = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the operations and of the caches. Default: random, and printed.")
  private @Nullable String seed;

  Settings read(OptionReader reader) {
    double lasting = reader.decimal("--minutes", minutes, 0.01, 100_000);
    double aRound = reader.decimal("--round", round, 0.1, 3600);
    MediumChoice choice = readMedium(reader);
    return new Settings(
        Duration.ofMillis((long) (lasting * 60_000)),
        Duration.ofMillis((long) (aRound * 1000)),
        (int) reader.wholeNumber("--threads", threads, 1, 256),
        choice,
        paths,
        reader.size("--size", size, 1 << 20, GIB),
        readFaults(reader),
        reader.decimal("--fault-rate", faultRate, 0, 1),
        seed == null
            ? ThreadLocalRandom.current().nextLong(OptionReader.MAX_SEED)
            : reader.wholeNumber("--seed", seed, -OptionReader.MAX_SEED, OptionReader.MAX_SEED));
  }

  private MediumChoice readMedium(OptionReader reader) {
    Path first = paths.isEmpty() ? null : paths.get(0);
    MediumChoice choice = MediumOptions.read(reader, medium, first, null).choice();
    if (paths.size() > 1 && choice != MediumChoice.FLASH) {
      String second = paths.get(1).toString();
      throw reader.bad("--path", second, "left out: only flash lies on several drives");
    }
    for (Path path : paths) {
      MediumOptions.read(reader, medium, path, null);
    }
    return choice;
  }

  private Set<StressFault> readFaults(OptionReader reader) {
    return switch (faults) {
      case "all" -> EnumSet.allOf(StressFault.class);
      case "none" -> EnumSet.noneOf(StressFault.class);
      default ->
          Set.copyOf(reader.listOf("--faults", faults, StressFault.values(), StressFault::label));
    };
  }
}
