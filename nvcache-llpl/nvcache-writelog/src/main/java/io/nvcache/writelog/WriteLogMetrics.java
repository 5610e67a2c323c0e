// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The meters of a log, {@code nvcache.writelog.*}, each with its file as the tag {@code log}. */
public final class WriteLogMetrics implements MeterBinder {
  private final WriteLog log;

  /** Makes the meters of a log. */
  public WriteLogMetrics(WriteLog log) {
    this.log = log;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "records", "appended", WriteLogStats::records);
    counter(registry, "bytes", "that the records held", WriteLogStats::bytes);
    counter(registry, "forces.absorbed", "that needed no sync", WriteLogStats::absorbedForces);
    counter(registry, "forces", "that reached the disk", WriteLogStats::forces);
    counter(registry, "syncs", "of files by the drain", WriteLogStats::syncs);
    counter(registry, "waits", "of writers for room", WriteLogStats::waits);
    counter(registry, "writes.failed", "that the disk refused", WriteLogStats::failedWrites);
    counter(registry, "drain.failures", "syncs that failed", WriteLogStats::drainFailures);
    counter(registry, "orphan.bytes", "saved from sick files", WriteLogStats::orphanBytes);
    gauge(registry, "pending.records", "not drained", WriteLogStats::pendingRecords);
    gauge(registry, "pending.bytes", "of the log in use", WriteLogStats::pendingBytes);
    gauge(registry, "pending.pages", "that only the log has", WriteLogStats::pendingPages);
    gauge(registry, "index.bytes", "of memory for such pages", WriteLogStats::pageIndexBytes);
    gauge(registry, "capacity.bytes", "of all lanes", WriteLogStats::capacityBytes);
    for (WriteLogCondition condition : WriteLogCondition.values()) {
      Gauge.builder(
              "nvcache.writelog.condition", log, l -> l.conditions().containsKey(condition) ? 1 : 0)
          .tags(tags())
          .tag("condition", condition.name().toLowerCase(Locale.ROOT))
          .description("1 while the log is in it")
          .strongReference(true)
          .register(registry);
    }
    gauge(registry, "files.sick", "that can't be written", WriteLogStats::sickFiles);
  }

  private List<Tag> tags() {
    return List.of(Tag.of("log", log.path().toString()));
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<WriteLogStats> value) {
    FunctionCounter.builder("nvcache.writelog." + name, log, l -> value.applyAsDouble(l.stats()))
        .tags(tags())
        .description(description)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<WriteLogStats> value) {
    Gauge.builder("nvcache.writelog." + name, log, l -> value.applyAsDouble(l.stats()))
        .tags(tags())
        .description(description)
        .strongReference(true)
        .register(registry);
  }
}
