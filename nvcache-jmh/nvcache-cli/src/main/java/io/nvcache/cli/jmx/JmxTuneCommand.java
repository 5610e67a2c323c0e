// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.cli.kit.Version;
import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.util.concurrent.Callable;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code jmx tune}: the overhead target finds its place by itself. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Starts or stops the tuning of a cache's overhead target, which never leaves its bounds."
          + " Without options it says what the tuning does."
    })
public final class JmxTuneCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Mixin private final JmxOptions options = new JmxOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

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
  public Integer call() throws IOException {
    OptionReader reader = new OptionReader(spec.commandLine());
    if ((least == null) != (most == null) || (stop && least != null)) {
      throw new ParameterException(
          spec.commandLine(), "give --least and --most to start, or --stop alone");
    }
    try (JMXConnector connector = options.connect(spec.commandLine())) {
      RemoteCache cache = options.choose(spec.commandLine(), connector.getMBeanServerConnection());
      if (stop) {
        cache.invoke("stopTuning");
      } else if (least != null && most != null) {
        cache.invoke(
            "startTuning",
            100 * reader.percentage("--least", least, 0.1, 1000),
            100 * reader.percentage("--most", most, 0.1, 1000),
            reader.wholeNumber("--miss", miss, 1, 1_000_000));
      }
      spec.commandLine().getOut().println(cache.get("Tuning"));
    }
    spec.commandLine().getOut().flush();
    return 0;
  }
}
