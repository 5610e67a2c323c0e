// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.OutputOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.progress.StopSignal;
import io.nvcache.remote.LiveReport;
import io.nvcache.remote.Recording;
import io.nvcache.remote.RemoteCache;
import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanAttributeInfo;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code jmx report}: a page on a running cache. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Records a cache for some seconds, changes settings on the way if asked to, and writes a page"
          + " with its admissions, hits, refusals, evictions and rebalancings and, if its shadows are"
          + " on, its miss-ratio curve and what candidates would save and cost."
    })
public final class JmxReportCommand implements Callable<Integer> {
  private static final Pattern TIMED = Pattern.compile("(\\d{1,5}):(\\w+)=(.*)");

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Mixin private final JmxOptions options = new JmxOptions();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "Seconds to record, 1 to 86400. Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--period",
      paramLabel = "MILLISECONDS",
      defaultValue = "500",
      description = "Milliseconds between two samples, 50 to 60000. Default: ${DEFAULT-VALUE}.")
  private String period = "";

  @Option(
      names = "--at",
      paramLabel = "SECOND:ATTRIBUTE=VALUE",
      description = "A setting to change, and when. May be repeated.")
  private List<String> changes = List.of();

  @Mixin private final OutputOptions output = new OutputOptions();

  private final StopSignal stop;

  public JmxReportCommand(StopSignal stop) {
    this.stop = stop;
  }

  private record Change(long second, MBeanAttributeInfo attribute, Object value, String text) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = new OptionReader(spec.commandLine());
    long length = reader.wholeNumber("--seconds", seconds, 1, 86_400);
    long millis = reader.wholeNumber("--period", period, 50, 60_000);
    output.check(reader);
    try (JMXConnector connector = options.connect(spec.commandLine())) {
      RemoteCache cache = options.choose(spec.commandLine(), connector.getMBeanServerConnection());
      List<Change> due = parse(cache, length);
      Recording recording = new Recording(cache, System::nanoTime);
      while (recording.now() < length && !stop.isRequested()) {
        TimeUnit.MILLISECONDS.sleep(millis);
        recording.sample();
        for (Change change : List.copyOf(due)) {
          if (recording.now() >= change.second) {
            due.remove(change);
            recording.set(change.attribute.getName(), change.value, change.text);
            spec.commandLine().getOut().println(change.text);
          }
        }
      }
      output.write(records(recording), when -> LiveReport.of(recording, options.process(), when));
      recording.verdicts().forEach(spec.commandLine().getOut()::println);
      spec.commandLine().getOut().flush();
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private List<Change> parse(RemoteCache cache, long length) throws IOException {
    Map<String, MBeanAttributeInfo> known = cache.attributes();
    List<Change> parsed = new ArrayList<>();
    for (String text : changes) {
      Matcher form = TIMED.matcher(text);
      MBeanAttributeInfo attribute = form.matches() ? known.get(form.group(2)) : null;
      if (attribute == null || !attribute.isWritable()) {
        throw new ParameterException(
            spec.commandLine(),
            "--at is '" + text + "'; it must be SECOND:ATTRIBUTE=VALUE of a live setting");
      }
      long second = Long.parseLong(form.group(1));
      if (second >= length) {
        throw new ParameterException(
            spec.commandLine(),
            "--at is '" + text + "'; it must be earlier than the " + length + " of --seconds");
      }
      try {
        parsed.add(
            new Change(
                second,
                attribute,
                AttributeText.parse(attribute, form.group(3)),
                form.group(2) + "=" + form.group(3)));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
    return parsed;
  }

  private static List<JsonRecords.Entry> records(Recording recording) throws IOException {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (Recording.Sample sample : recording.samples()) {
      Map<String, String> labels =
          Map.of("second", String.format(Locale.ROOT, "%.2f", sample.second()));
      JsonRecords.add(records, "hit_ratio", labels, sample.hitRatio(), "ratio");
      JsonRecords.add(records, "writes_per_lookup", labels, sample.writesPerLookup(), "writes");
      JsonRecords.add(records, "overhead_target", labels, sample.overheadTarget(), "ratio");
      JsonRecords.add(records, "lookups_per_second", labels, sample.lookupsPerSecond(), "1/s");
      JsonRecords.add(
          records, "written_bytes_per_second", labels, sample.writtenBytesPerSecond(), "B/s");
      JsonRecords.add(records, "refused_per_second", labels, sample.refusedPerSecond(), "1/s");
      JsonRecords.add(records, "evicted_per_second", labels, sample.evictedPerSecond(), "1/s");
      JsonRecords.add(
          records, "rebalanced_per_second", labels, sample.rebalancedPerSecond(), "1/s");
    }
    recording
        .curve("SizeCurvePercent")
        .forEach(
            (size, hits) ->
                JsonRecords.add(
                    records,
                    "curve_hit_ratio",
                    Map.of("size", size.toString()),
                    hits / 100,
                    "ratio"));
    return records;
  }
}
