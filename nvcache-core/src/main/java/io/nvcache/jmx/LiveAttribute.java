// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The attribute that shows a live setting, and how: ratios become percent, durations seconds. */
enum LiveAttribute {
  OVERHEAD_TARGET("overheadTarget", "OverheadTargetPercent"),
  SMALL_BYPASS_DRAM("smallBypassDramBytes", "SmallBypassDramBytes"),
  SMALL_BYPASS_FRACTION("smallBypassFraction", "SmallBypassFractionPercent"),
  EVICTION_WINDOW("evictionWindow", "EvictionWindowSeconds"),
  FULL_TARGET("fullTarget", "FullTargetPercent"),
  MAX_PINNED("maxPinnedBytes", "MaxPinnedBytes"),
  WRITE_LIMIT_SECOND("writeLimitBytesPerSecond", "WriteLimitBytesPerSecond"),
  WRITE_LIMIT_DAY("writeLimitBytesPerDay", "WriteLimitBytesPerDay"),
  SHADOW_SAMPLE("shadowSampleRatio", "ShadowSamplePercent"),
  SHADOW_CANDIDATES("shadowCandidates", "ShadowCandidates");

  private final String setting;
  private final String attribute;

  LiveAttribute(String setting, String attribute) {
    this.setting = setting;
    this.attribute = attribute;
  }

  static Optional<LiveAttribute> of(String setting) {
    return Arrays.stream(values()).filter(live -> live.setting.equals(setting)).findFirst();
  }

  /** Returns the attribute's name. */
  String attribute() {
    return attribute;
  }

  /** Returns a value of the setting as the attribute has it. */
  static Object shown(Object value) {
    if (value instanceof Double ratio) {
      return percent(ratio);
    }
    if (value instanceof List<?> texts) {
      return texts.stream().map(Object::toString).toArray(String[]::new); // As open types have it.
    }
    return value instanceof Duration duration ? (Object) duration.toSeconds() : value;
  }

  /** Returns an attribute's value in words. */
  static String words(Object shown) {
    return shown instanceof String[] texts ? String.join("; ", texts) : shown.toString();
  }

  /** Ratios become percent, without the noise of binary fractions: 7 %, not 7.000000000000001. */
  static double percent(double ratio) {
    return Math.rint(ratio * 1e8) / 1e6;
  }

  /** To six digits behind the point. */
  static double rounded(double value) {
    return Math.rint(value * 1e6) / 1e6;
  }
}
