// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import java.time.Duration;

/** Settings with the paper's values and no range checks. */
public final class MutableSettings implements LiveSettings {
  private volatile double overheadTarget = 0.10;
  private volatile long smallBypassDramBytes;
  private volatile double smallBypassFraction = 0.5;
  private volatile Duration evictionWindow = Duration.ofMinutes(30);
  private volatile double fullTarget = 0.95;
  private volatile long writeLimitBytesPerDay;
  private volatile long writeLimitBytesPerSecond;
  private volatile long maxPinnedBytes;

  @Override
  public double overheadTarget() {
    return overheadTarget;
  }

  @Override
  public void setOverheadTarget(double ratio) {
    overheadTarget = ratio;
  }

  @Override
  public long smallBypassDramBytes() {
    return smallBypassDramBytes;
  }

  @Override
  public void setSmallBypassDramBytes(long bytes) {
    smallBypassDramBytes = bytes;
  }

  @Override
  public double smallBypassFraction() {
    return smallBypassFraction;
  }

  @Override
  public void setSmallBypassFraction(double ratio) {
    smallBypassFraction = ratio;
  }

  @Override
  public Duration evictionWindow() {
    return evictionWindow;
  }

  @Override
  public void setEvictionWindow(Duration window) {
    evictionWindow = window;
  }

  @Override
  public double fullTarget() {
    return fullTarget;
  }

  @Override
  public void setFullTarget(double ratio) {
    fullTarget = ratio;
  }

  @Override
  public long maxPinnedBytes() {
    return maxPinnedBytes;
  }

  @Override
  public void setMaxPinnedBytes(long bytes) {
    maxPinnedBytes = bytes;
  }

  @Override
  public long writeLimitBytesPerSecond() {
    return writeLimitBytesPerSecond;
  }

  @Override
  public void setWriteLimitBytesPerSecond(long bytes) {
    writeLimitBytesPerSecond = bytes;
  }

  @Override
  public long writeLimitBytesPerDay() {
    return writeLimitBytesPerDay;
  }

  @Override
  public void setWriteLimitBytesPerDay(long bytes) {
    writeLimitBytesPerDay = bytes;
  }

  /** Tells nobody. */
  @Override
  public void addListener(SettingListener listener) {}

  @Override
  public void removeListener(SettingListener listener) {}
}
