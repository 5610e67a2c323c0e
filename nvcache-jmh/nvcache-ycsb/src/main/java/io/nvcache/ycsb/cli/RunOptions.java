// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.kit.OptionReader;
import io.nvcache.ycsb.RunSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of how policies are driven. */
final class RunOptions {
  private static final int DEFAULT_SECONDS = 20;
  private static final long MAX_SEED = 999_999_999_999_999_999L;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "Length of each policy's run, 1 to 86400. Default: "
              + DEFAULT_SECONDS
              + ", or no limit if --operations is given.")
  private @Nullable String seconds;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description =
          "Operations of each policy's run, 100 to 1000000000000; with --seconds, whichever comes first."
              + " Default: no limit.")
  private @Nullable String operations;

  @Option(
      names = "--warm-up",
      paramLabel = "PERCENT",
      defaultValue = "33%",
      description =
          "The part of each run that is not measured, 0%% to 90%%, rounded up to whole turns. Default:"
              + " ${DEFAULT-VALUE}.")
  private String warmUp = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "Clients, 1 to 1024. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Turns that each run is divided into, 2 to 1000. Policies take turns, so that all of"
              + " them meet the same machine; medians over the rounds are reported. Default:"
              + " ${DEFAULT-VALUE}.")
  private String rounds = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of the clients' choices, a whole number of at most 18 digits. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  RunSettings read(OptionReader reader) {
    long secondsLimit = operations == null ? DEFAULT_SECONDS : 0;
    if (seconds != null) {
      secondsLimit = reader.wholeNumber("--seconds", seconds, 1, 86_400);
    }
    return new RunSettings(
        (int) reader.wholeNumber("--threads", threads, 1, 1024),
        Duration.ofSeconds(secondsLimit),
        operations == null
            ? 0
            : reader.wholeNumber("--operations", operations, 100, 1_000_000_000_000L),
        reader.percentage("--warm-up", warmUp, 0, 90),
        (int) reader.wholeNumber("--rounds", rounds, 2, 1000),
        reader.wholeNumber("--seed", seed, -MAX_SEED, MAX_SEED));
  }
}
