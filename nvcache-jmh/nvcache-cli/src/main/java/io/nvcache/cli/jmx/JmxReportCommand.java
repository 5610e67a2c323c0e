// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.OutputOptions;
import io.nvcache.progress.StopSignal;
import io.nvcache.remote.LiveReport;
import io.nvcache.remote.Recording;
import io.nvcache.remote.RemoteCache;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanAttributeInfo;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code jmx report}: a page on a running cache. */
@Command(
    name = "report",
    description = {
      "Records a cache for some seconds, changes settings on the way if asked to, and writes a page"
          + " with its admissions, hits, refusals, evictions and rebalancings and, if its shadows are"
          + " on, its miss-ratio curve and what candidates would save and cost."
    })
public final class JmxReportCommand extends Action {
  private static final Pattern TIMED = Pattern.compile("(\\d{1,5}):(\\w+)=(.*)");

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
    OptionReader reader = reader();
    long length = reader.wholeNumber("--seconds", seconds, 1, 86_400);
    long millis = reader.wholeNumber("--period", period, 50, 60_000);
    output.check(reader);
    try (JMXConnector connector = options.connect(command())) {
      RemoteCache cache = options.choose(command(), connector.getMBeanServerConnection());
      List<Change> due = parse(cache, length);
      Recording recording = new Recording(cache, System::nanoTime);
      while (recording.now() < length && !stop.isRequested()) {
        TimeUnit.MILLISECONDS.sleep(millis);
        recording.sample();
        for (Change change : List.copyOf(due)) {
          if (recording.now() >= change.second) {
            due.remove(change);
            recording.set(change.attribute.getName(), change.value, change.text);
            out().println(change.text);
          }
        }
      }
      output.write(records(recording), when -> LiveReport.of(recording, options.process(), when));
      recording.verdicts().forEach(out()::println);
      out().flush();
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
            command(),
            "--at is '" + text + "'; it must be SECOND:ATTRIBUTE=VALUE of a live setting");
      }
      long second = Long.parseLong(form.group(1));
      if (second >= length) {
        throw new ParameterException(
            command(),
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
        throw new ParameterException(command(), String.valueOf(e.getMessage()), e);
      }
    }
    return parsed;
  }

  private static List<JsonRecords.Entry> records(Recording recording) throws IOException {
    Measurements all = new Measurements();
    for (Recording.Sample sample : recording.samples()) {
      all.with("second", String.format(Locale.ROOT, "%.2f", sample.second()))
          .add("hit_ratio", sample.hitRatio(), "ratio")
          .add("writes_per_lookup", sample.writesPerLookup(), "writes")
          .add("overhead_target", sample.overheadTarget(), "ratio")
          .add("lookups_per_second", sample.lookupsPerSecond(), "1/s")
          .add("written_bytes_per_second", sample.writtenBytesPerSecond(), "B/s")
          .add("refused_per_second", sample.refusedPerSecond(), "1/s")
          .add("evicted_per_second", sample.evictedPerSecond(), "1/s")
          .add("rebalanced_per_second", sample.rebalancedPerSecond(), "1/s");
    }
    recording
        .curve("SizeCurvePercent")
        .forEach(
            (size, hits) -> all.with("size", size).add("curve_hit_ratio", hits / 100, "ratio"));
    return all.records();
  }
}
