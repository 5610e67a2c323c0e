// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.OptionReader;
import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code jmx tune}: the overhead target finds its place by itself. */
@Command(
    name = "tune",
    description = {
      "Starts or stops the tuning of a cache's overhead target, which never leaves its bounds."
          + " Without options it says what the tuning does."
    })
public final class JmxTuneCommand extends JmxAction {
  @Option(
      names = "--least",
      paramLabel = "PERCENT",
      description = "The lowest target, 0.1%% to 1000%%.")
  private @Nullable String least;

  @Option(names = "--most", paramLabel = "PERCENT", description = "The highest target.")
  private @Nullable String most;

  @Option(
      names = "--miss",
      paramLabel = "MICROSECONDS",
      defaultValue = "100",
      description = "What a miss costs beyond a hit, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  private String miss = "";

  @Option(names = "--stop", description = "Stop; the target stays where it is.")
  private boolean stop;

  @Override
  void checkOptions() {
    if ((least == null) != (most == null) || (stop && least != null)) {
      throw new ParameterException(command(), "give --least and --most to start, or --stop alone");
    }
  }

  @Override
  void run(RemoteCache cache) throws IOException {
    OptionReader reader = reader();
    if (stop) {
      cache.invoke("stopTuning");
    } else if (least != null && most != null) {
      cache.invoke(
          "startTuning",
          100 * reader.percentage("--least", least, 0.1, 1000),
          100 * reader.percentage("--most", most, 0.1, 1000),
          reader.wholeNumber("--miss", miss, 1, 1_000_000));
    }
    out().println(cache.get("Tuning"));
  }
}
