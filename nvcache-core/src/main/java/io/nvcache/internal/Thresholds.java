// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.LiveSettings;
import java.time.Duration;

/**
 * The live thresholds, each checked when it is set. The builder sets them through the same checks.
 */
public final class Thresholds implements LiveSettings {
  private static final Duration MAX_WINDOW = Duration.ofDays(365);

  // The paper's and WiredTiger's defaults: SoCC '22 §3.2.3; WiredTiger's dist/api_data.py.
  private volatile double overheadTarget = 0.10;
  private volatile double smallBypassFraction = 0.50;
  private volatile Duration evictionWindow = Duration.ofMinutes(30);
  private volatile double fullTarget = 0.95;
  private volatile long smallBypassDramBytes = SystemMemory.totalBytes();

  @Override
  public double overheadTarget() {
    return overheadTarget;
  }

  @Override
  public void overheadTarget(double ratio) {
    check(ratio >= 0 && ratio <= 10, "overheadTarget", ratio, "0 and 10 (0.10 is 10 %)");
    overheadTarget = ratio;
  }

  @Override
  public long smallBypassDramBytes() {
    return smallBypassDramBytes;
  }

  @Override
  public void smallBypassDramBytes(long bytes) {
    check(bytes >= 0, "smallBypassDramBytes", bytes, "0 (the bypass is off) and 2^63 - 1");
    smallBypassDramBytes = bytes;
  }

  @Override
  public double smallBypassFraction() {
    return smallBypassFraction;
  }

  @Override
  public void smallBypassFraction(double ratio) {
    check(ratio > 0 && ratio <= 1, "smallBypassFraction", ratio, "just above 0 and 1");
    smallBypassFraction = ratio;
  }

  @Override
  public Duration evictionWindow() {
    return evictionWindow;
  }

  @Override
  public void evictionWindow(Duration window) {
    check(
        window.toSeconds() >= 1 && window.compareTo(MAX_WINDOW) <= 0,
        "evictionWindow",
        window,
        "1 second and 365 days");
    evictionWindow = window;
  }

  @Override
  public double fullTarget() {
    return fullTarget;
  }

  @Override
  public void fullTarget(double ratio) {
    check(ratio >= 0.01 && ratio <= 1, "fullTarget", ratio, "0.01 and 1");
    fullTarget = ratio;
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
