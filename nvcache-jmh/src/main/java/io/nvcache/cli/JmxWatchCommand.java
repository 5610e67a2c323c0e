// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.remote.RemoteCache;
import io.nvcache.ycsb.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code jmx watch}: what a cache does now, and what it tells. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    versionProvider = NvCacheCli.Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Prints a line for each interval: what happened in it, by the second where that makes sense;"
          + " and between them what the cache tells: changed settings, conditions begun and ended.",
      "Ends after --count lines, or with Ctrl-C."
    })
final class JmxWatchCommand implements Callable<Integer> {
  private static final String ROW = "%-8s %9s %9s %9s %9s %9s %9s %9s %8s %8s%n";
  private static final List<String> COUNTS =
      List.of(
          "Lookups",
          "Hits",
          "OffersAdmitted",
          "OffersBypassedOverhead",
          "OffersNotWorthIt",
          "Evictions",
          "MediumWrittenBytes");

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Mixin private final JmxOptions options = new JmxOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "Between two lines, 1 to 3600. Default: ${DEFAULT-VALUE}.")
  private String interval = "";

  @Option(
      names = "--count",
      paramLabel = "LINES",
      defaultValue = "0",
      description = "How many lines; 0 goes on until Ctrl-C. Default: ${DEFAULT-VALUE}.")
  private String count = "";

  private final StopSignal stop;

  JmxWatchCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = new OptionReader(spec.commandLine());
    long seconds = reader.wholeNumber("--interval", interval, 1, 3600);
    long lines = reader.wholeNumber("--count", count, 0, Integer.MAX_VALUE);
    try (JMXConnector connector = options.connect(spec.commandLine())) {
      RemoteCache cache = options.choose(spec.commandLine(), connector.getMBeanServerConnection());
      cache.listen((notification, handback) -> print("  # " + notification.getMessage()));
      print(
          String.format(
              ROW,
              "time",
              "lookups/s",
              "hits %",
              "admit/s",
              "bypass/s",
              "unworthy",
              "evict/s",
              "MB/s",
              "target %",
              "used %"));
      watch(cache, seconds, lines);
    }
    return stop.isRequested() ? YcsbCommand.INTERRUPTED : 0;
  }

  private void watch(RemoteCache cache, long seconds, long lines)
      throws IOException, InterruptedException {
    Map<String, Long> before = counts(cache);
    long since = System.nanoTime();
    for (long line = 0; lines == 0 || line < lines; line++) {
      for (long waited = 0; waited < seconds * 10 && !stop.isRequested(); waited++) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
      if (stop.isRequested()) {
        return;
      }
      Map<String, Long> after = counts(cache);
      long now = System.nanoTime();
      print(row(cache, before, after, (now - since) * 1e-9));
      before = after;
      since = now;
    }
  }

  private static Map<String, Long> counts(RemoteCache cache) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    for (String name : COUNTS) {
      counts.put(name, (Long) cache.get(name));
    }
    return counts;
  }

  private static String row(
      RemoteCache cache, Map<String, Long> before, Map<String, Long> after, double seconds)
      throws IOException {
    Map<String, Long> fresh = new HashMap<>(after);
    before.forEach((name, count) -> fresh.merge(name, -count, Long::sum));
    long lookups = fresh.getOrDefault("Lookups", 0L);
    return String.format(
        Locale.ROOT,
        ROW,
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
        rate(fresh, "Lookups", seconds),
        lookups == 0
            ? "-"
            : String.format(Locale.ROOT, "%.1f", 100.0 * fresh.getOrDefault("Hits", 0L) / lookups),
        rate(fresh, "OffersAdmitted", seconds),
        rate(fresh, "OffersBypassedOverhead", seconds),
        rate(fresh, "OffersNotWorthIt", seconds),
        rate(fresh, "Evictions", seconds),
        String.format(
            Locale.ROOT,
            "%.1f",
            fresh.getOrDefault("MediumWrittenBytes", 0L) / seconds / (1 << 20)),
        cache.get("OverheadTargetPercent"),
        String.format(Locale.ROOT, "%.1f", (double) cache.get("UsedPercent")));
  }

  private static String rate(Map<String, Long> fresh, String name, double seconds) {
    return String.format(Locale.ROOT, "%.0f", fresh.getOrDefault(name, 0L) / seconds);
  }

  /** Called by the thread that brings notifications, too. */
  private synchronized void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text.stripTrailing());
    out.flush();
  }
}
