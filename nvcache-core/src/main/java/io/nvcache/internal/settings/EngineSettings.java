// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live thresholds, each checked when it is set. The builder sets them through the same checks.
 */
public final class EngineSettings implements LiveSettings {
  /** DRAM in which no data set fits. */
  public static final long BYPASS_OFF = 0;

  private static final Logger LOG = LoggerFactory.getLogger(EngineSettings.class);
  private static final Duration MAX_WINDOW = Duration.ofDays(365);
  private static final String BYTES_OR_OFF = "0 (no limit) and 2^63 - 1";

  // The paper's and WiredTiger's defaults (SoCC '22 §3.2.3; WiredTiger's dist/api_data.py), but
  // for the small bypass: that data would fit in DRAM does not mean that reads come from there.
  private volatile double overheadTarget = 0.10;
  private volatile double smallBypassFraction = 0.50;
  private volatile Duration evictionWindow = Duration.ofMinutes(30);
  private volatile double fullTarget = 0.95;
  private volatile long smallBypassDramBytes = BYPASS_OFF;
  private volatile long maxPinnedBytes;
  private volatile long writeLimitBytesPerSecond;
  private volatile long writeLimitBytesPerDay;
  private volatile Map<String, String> names = Map.of();

  private final SettingChanges changes = new SettingChanges();

  /** Has messages call settings as the operator does, by the builder's names of them. */
  public void names(Map<String, String> operatorsNames) {
    names = Map.copyOf(operatorsNames);
  }

  /** Returns what the operator calls a setting; by default, what the builder does. */
  public String nameOf(String setting) {
    return names.getOrDefault(setting, setting);
  }

  /** Returns the order in which these settings change, and others of the same cache. */
  public SettingChanges changes() {
    return changes;
  }

  @Override
  public double overheadTarget() {
    return overheadTarget;
  }

  @Override
  public void setOverheadTarget(double ratio) {
    setCalibratedTarget(ratio);
    if (ratio > 1) {
      LOG.warn(
          "{} is {}, which is {} %: more writes than lookups, so it limits next to nothing. If {} %"
              + " was meant, set {}",
          nameOf("overheadTarget"), ratio, Math.round(100 * ratio), ratio, ratio / 100);
    }
  }

  /** Sets the overhead target that a measurement found; more than 1 stands for no limit. */
  public void setCalibratedTarget(double ratio) {
    check(ratio >= 0 && ratio <= 10, "overheadTarget", ratio, "0 and 10 (0.10 is 10 %)");
    change("overheadTarget", this::overheadTarget, ratio, value -> overheadTarget = value);
  }

  @Override
  public long smallBypassDramBytes() {
    return smallBypassDramBytes;
  }

  @Override
  public void setSmallBypassDramBytes(long bytes) {
    check(bytes >= 0, "smallBypassDramBytes", bytes, "0 (the bypass is off) and 2^63 - 1");
    change(
        "smallBypassDramBytes",
        this::smallBypassDramBytes,
        bytes,
        value -> smallBypassDramBytes = value);
  }

  @Override
  public double smallBypassFraction() {
    return smallBypassFraction;
  }

  @Override
  public void setSmallBypassFraction(double ratio) {
    check(ratio > 0 && ratio <= 1, "smallBypassFraction", ratio, "just above 0 and 1");
    change(
        "smallBypassFraction",
        this::smallBypassFraction,
        ratio,
        value -> smallBypassFraction = value);
  }

  @Override
  public Duration evictionWindow() {
    return evictionWindow;
  }

  @Override
  public void setEvictionWindow(Duration window) {
    Objects.requireNonNull(window, "window");
    check(
        window.toSeconds() >= 1 && window.compareTo(MAX_WINDOW) <= 0,
        "evictionWindow",
        window,
        "1 second and 365 days");
    change("evictionWindow", this::evictionWindow, window, value -> evictionWindow = value);
  }

  @Override
  public double fullTarget() {
    return fullTarget;
  }

  @Override
  public void setFullTarget(double ratio) {
    check(ratio >= 0.01 && ratio <= 1, "fullTarget", ratio, "0.01 and 1");
    change("fullTarget", this::fullTarget, ratio, value -> fullTarget = value);
  }

  @Override
  public long maxPinnedBytes() {
    return maxPinnedBytes;
  }

  @Override
  public void setMaxPinnedBytes(long bytes) {
    check(bytes >= 0, "maxPinnedBytes", bytes, "0 (no pins) and 2^63 - 1");
    change("maxPinnedBytes", this::maxPinnedBytes, bytes, value -> maxPinnedBytes = value);
  }

  @Override
  public long writeLimitBytesPerSecond() {
    return writeLimitBytesPerSecond;
  }

  @Override
  public void setWriteLimitBytesPerSecond(long bytes) {
    check(bytes >= 0, "writeLimitBytesPerSecond", bytes, BYTES_OR_OFF);
    change(
        "writeLimitBytesPerSecond",
        this::writeLimitBytesPerSecond,
        bytes,
        value -> writeLimitBytesPerSecond = value);
  }

  @Override
  public long writeLimitBytesPerDay() {
    return writeLimitBytesPerDay;
  }

  @Override
  public void setWriteLimitBytesPerDay(long bytes) {
    check(bytes >= 0, "writeLimitBytesPerDay", bytes, BYTES_OR_OFF);
    change(
        "writeLimitBytesPerDay",
        this::writeLimitBytesPerDay,
        bytes,
        value -> writeLimitBytesPerDay = value);
  }

  @Override
  public void addListener(SettingListener listener) {
    changes.addListener(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeListener(SettingListener listener) {
    changes.removeListener(Objects.requireNonNull(listener, "listener"));
  }

  private <T> void change(String name, Supplier<T> current, T value, Consumer<T> assignment) {
    changes.make(
        () -> {
          T before = current.get();
          assignment.accept(value);
          changes.tell(name, before, value);
        });
  }

  private static void check(boolean valid, String name, Object value, String range) {
    if (!valid) {
      throw new IllegalArgumentException(
          name
              + " is "
              + value
              + "; it must be between "
              + range
              + "; the setting stays as it was");
    }
  }
}
