// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.time.Duration;

/**
 * The thresholds that policies read, each at its decision: they may be {@linkplain LiveSettings
 * changed} while a cache runs. Thread-safe.
 */
@FunctionalInterface
public interface Settings {
  /** Returns the value of a setting: a double for ratios, a long for bytes, or a duration. */
  Object get(LiveSetting setting);

  /**
   * Returns the medium writes per lookup that admission aims at, as a ratio; 0.10 = 10 %. Above it
   * the paper's policies also stop evicting.
   */
  default double overheadTarget() {
    return (double) get(LiveSetting.OVERHEAD_TARGET);
  }

  /** Returns the DRAM that the page cache may fill, in bytes; 0 while the small bypass is off. */
  default long smallBypassDramBytes() {
    return (long) get(LiveSetting.SMALL_BYPASS_DRAM_BYTES);
  }

  /** Returns the part of the data set that has to fit in DRAM for the bypass, as a ratio. */
  default double smallBypassFraction() {
    return (double) get(LiveSetting.SMALL_BYPASS_FRACTION);
  }

  /** Returns how long a block must go unused before LFRU may evict it. */
  default Duration evictionWindow() {
    return (Duration) get(LiveSetting.EVICTION_WINDOW);
  }

  /** Returns how full the medium must be before LFRU evicts, as a ratio of its capacity. */
  default double fullTarget() {
    return (double) get(LiveSetting.FULL_TARGET);
  }

  /** Returns the share in which eviction passes over important blocks, as a ratio. */
  default double importantShare() {
    return (double) get(LiveSetting.IMPORTANT_SHARE);
  }

  /** Returns what pins may hold at once, in bytes. */
  default long maxPinnedBytes() {
    return (long) get(LiveSetting.MAX_PINNED_BYTES);
  }

  /**
   * Returns the part of the reads that are verified of blocks in regions that fill whole pages, as
   * a ratio, once they were verified; 1 verifies each read.
   */
  default double verifiedReads() {
    return (double) get(LiveSetting.VERIFIED_READS);
  }

  /**
   * Returns what may be written to the medium in a second, in bytes of its {@linkplain
   * io.nvcache.medium.WriteCost#unitBytes device}; 0 if that is not limited.
   */
  default long writeLimitBytesPerSecond() {
    return (long) get(LiveSetting.WRITE_LIMIT_BYTES_PER_SECOND);
  }

  /**
   * Returns what may be written to the medium in a day, in bytes of its device; 0 if that is not
   * limited.
   */
  default long writeLimitBytesPerDay() {
    return (long) get(LiveSetting.WRITE_LIMIT_BYTES_PER_DAY);
  }
}
