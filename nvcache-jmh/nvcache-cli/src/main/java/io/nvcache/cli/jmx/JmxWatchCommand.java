// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.progress.StopSignal;
import io.nvcache.remote.RemoteCache;
import io.nvcache.remote.RemoteText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jmx watch}: what a cache does now, and its events. */
@Command(
    name = "watch",
    description = {
      "Prints a line for each interval: what happened in it, by the second where that makes sense;"
          + " and between them the cache's events: changed settings, conditions begun and ended."
          + " Refused are all offers that were not taken, with the most frequent reason last.",
      "Ends after --count lines, or with Ctrl-C."
    })
public final class JmxWatchCommand extends Action {
  @Mixin private final JmxOptions options = new JmxOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "Seconds between two lines, 1 to 3600. Default: ${DEFAULT-VALUE}.")
  private String interval = "";

  @Option(
      names = "--count",
      paramLabel = "LINES",
      defaultValue = "0",
      description = "How many lines; 0 continues until Ctrl-C. Default: ${DEFAULT-VALUE}.")
  private String count = "";

  private final StopSignal stop;

  public JmxWatchCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = reader();
    long seconds = reader.wholeNumber("--interval", interval, 1, 3600);
    long lines = reader.wholeNumber("--count", count, 0, Integer.MAX_VALUE);
    try (JMXConnector connector = options.connect(command())) {
      RemoteCache cache = options.choose(command(), connector.getMBeanServerConnection());
      cache.listen(
          (notification, handback) -> print("  # " + RemoteText.of(notification.getMessage())));
      tellConditions(cache);
      print(WatchLine.TITLES);
      watch(cache, seconds, lines);
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  /** Those that began before; asked for after the listener is there, so that none is missed. */
  private void tellConditions(RemoteCache cache) throws IOException {
    ((Map<?, ?>) cache.get("Conditions"))
        .forEach((condition, reason) -> print("  # " + condition + " already: " + reason));
  }

  private void watch(RemoteCache cache, long seconds, long lines)
      throws IOException, InterruptedException {
    WatchLine.Counts before = WatchLine.Counts.of(cache);
    long since = System.nanoTime();
    for (long line = 0; (lines == 0 || line < lines) && !out().checkError(); line++) {
      for (long waited = 0; waited < seconds * 10 && !stop.isRequested(); waited++) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
      if (stop.isRequested()) {
        return;
      }
      WatchLine.Counts after = WatchLine.Counts.of(cache);
      long now = System.nanoTime();
      print(
          new WatchLine(before, after, (now - since) * 1e-9)
              .text(
                  LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                  cache.get("OverheadTargetPercent"),
                  (double) cache.get("UsedPercent")));
      before = after;
      since = now;
    }
  }

  /** Called by the thread that brings notifications as well. */
  private synchronized void print(String text) {
    PrintWriter out = out();
    out.println(text);
    out.flush();
  }
}
