// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The live settings but for those that a miniature tries otherwise. Read-only. */
record ShadowSettings(LiveSettings live, OptionalDouble triedTarget, @Nullable Duration triedWindow)
    implements LiveSettings {

  @Override
  public double overheadTarget() {
    return triedTarget.orElse(live.overheadTarget());
  }

  @Override
  public void setOverheadTarget(double value) {
    throw readOnly();
  }

  @Override
  public long smallBypassDramBytes() {
    return live.smallBypassDramBytes();
  }

  @Override
  public void setSmallBypassDramBytes(long value) {
    throw readOnly();
  }

  @Override
  public double smallBypassFraction() {
    return live.smallBypassFraction();
  }

  @Override
  public void setSmallBypassFraction(double value) {
    throw readOnly();
  }

  @Override
  public Duration evictionWindow() {
    return triedWindow == null ? live.evictionWindow() : triedWindow;
  }

  @Override
  public void setEvictionWindow(Duration value) {
    throw readOnly();
  }

  @Override
  public double fullTarget() {
    return live.fullTarget();
  }

  @Override
  public void setFullTarget(double value) {
    throw readOnly();
  }

  @Override
  public long maxPinnedBytes() {
    return live.maxPinnedBytes();
  }

  @Override
  public void setMaxPinnedBytes(long value) {
    throw readOnly();
  }

  @Override
  public long writeLimitBytesPerSecond() {
    return live.writeLimitBytesPerSecond();
  }

  @Override
  public void setWriteLimitBytesPerSecond(long value) {
    throw readOnly();
  }

  @Override
  public long writeLimitBytesPerDay() {
    return live.writeLimitBytesPerDay();
  }

  @Override
  public void setWriteLimitBytesPerDay(long value) {
    throw readOnly();
  }

  @Override
  public void addListener(SettingListener listener) {
    throw readOnly();
  }

  @Override
  public void removeListener(SettingListener listener) {
    throw readOnly();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a policy does not change settings");
  }
}
