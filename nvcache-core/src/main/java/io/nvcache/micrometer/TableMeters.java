// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.control.LiveSetting;
import io.nvcache.stats.Reading;
import io.nvcache.stats.RecentStats;
import io.nvcache.stats.Stat;
import io.nvcache.stats.StatTable;
import java.util.function.ToDoubleFunction;

/** The meters of the rows of {@link StatTable} and {@link LiveSetting}, from one snapshot. */
record TableMeters(MeterGroup meters, RecentStats recent) {
  void bind() {
    for (Stat row : StatTable.ROWS) {
      if (row.meter() != null) {
        bind(row, row.meter());
      }
    }
    for (LiveSetting setting : LiveSetting.values()) {
      setting
          .gauge()
          .ifPresent(
              gauge ->
                  meters.gauge(
                      gauge.name(),
                      gauge.description(),
                      setting.isRatio() ? null : "bytes",
                      Tags.empty(),
                      cache -> ((Number) cache.control().settings().get(setting)).doubleValue()));
    }
  }

  private void bind(Stat row, Stat.Meter meter) {
    RecentStats snapshots = recent; // Not this record, which a meter would hold.
    ToDoubleFunction<BlockCache> value =
        cache -> row.value().apply(new Reading(cache, snapshots)).doubleValue();
    String unit = meter.unit().isEmpty() ? null : meter.unit();
    Tags tag = Tags.of(meter.tag().toArray(String[]::new));
    if (meter.counter()) {
      meters.count(meter.name(), meter.description(), unit, tag, value);
    } else {
      meters.gauge(meter.name(), meter.description(), unit, tag, value);
    }
  }
}
