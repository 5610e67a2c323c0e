// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

import io.nvcache.control.LiveSetting;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live thresholds, each checked when it is set. The builder sets them through the same checks.
 */
public final class EngineSettings implements LiveSettings {
  /** DRAM in which no data set fits. */
  public static final long BYPASS_OFF = 0;

  private static final Logger LOG = LoggerFactory.getLogger(EngineSettings.class);

  private final AtomicReferenceArray<Object> values;
  private final SettingChanges changes = new SettingChanges();
  private volatile Map<String, String> names = Map.of();

  /** Begins with the standard values. */
  public EngineSettings() {
    values =
        new AtomicReferenceArray<>(
            Arrays.stream(LiveSetting.values()).map(LiveSetting::standard).toArray());
  }

  /** Has messages call settings as the operator does, by the builder's names of them. */
  public void names(Map<String, String> operatorsNames) {
    names = Map.copyOf(operatorsNames);
  }

  /** Returns what the operator calls a setting; by default, what the builder does. */
  public String nameOf(String setting) {
    return names.getOrDefault(setting, setting);
  }

  /** Returns a refusal of sizes in words that the operator knows. */
  public IllegalArgumentException named(IllegalArgumentException refusal) {
    String message = Objects.requireNonNull(refusal.getMessage());
    for (String size : List.of("expectedBlockBytes", "maxBlockBytes")) {
      message = message.replace(size, nameOf(size));
    }
    return new IllegalArgumentException(message, refusal);
  }

  /** Returns the order in which these settings change, and others of the same cache. */
  public SettingChanges changes() {
    return changes;
  }

  /** Offers read some of them. */
  @Override
  public Object get(LiveSetting setting) {
    return values.get(place(setting));
  }

  @SuppressWarnings("EnumOrdinal") // A place in this process only; any order will do.
  private static int place(LiveSetting setting) {
    return Objects.requireNonNull(setting, "setting").ordinal();
  }

  @Override
  public void set(LiveSetting setting, Object value) {
    change(setting, value);
    if (setting == LiveSetting.OVERHEAD_TARGET && (double) value > 1) {
      LOG.warn(
          "{} is {}, which is {} %: more writes than lookups, so it limits next to nothing. If {} %"
              + " was meant, set {}",
          nameOf("overheadTarget"),
          value,
          Math.round(100 * (double) value),
          value,
          (double) value / 100);
    }
  }

  /** Sets the overhead target that a measurement found; more than 1 means no limit. */
  public void setCalibratedTarget(double ratio) {
    change(LiveSetting.OVERHEAD_TARGET, ratio);
  }

  private void change(LiveSetting setting, Object value) {
    Object checked = Objects.requireNonNull(setting, "setting").check(value);
    changes.make(
        () -> {
          Object before = values.getAndSet(place(setting), checked);
          changes.tell(setting.settingName(), before, checked);
        });
  }

  @Override
  public void addListener(SettingListener listener) {
    changes.addListener(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeListener(SettingListener listener) {
    changes.removeListener(Objects.requireNonNull(listener, "listener"));
  }
}
