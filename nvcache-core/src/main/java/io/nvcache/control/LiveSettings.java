// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.time.Duration;

/**
 * The thresholds that may be changed while a cache runs, over this interface or over JMX. A change
 * is seen by the next decision. A value outside its range is refused with an {@link
 * IllegalArgumentException} that names the value and the range, and nothing changes. Thread-safe.
 *
 * <p>A setting that the configured policies do not read has no effect.
 */
public interface LiveSettings {
  /**
   * Returns the medium writes per lookup that admission aims at, as a ratio; 0.10 = 10 %. Above it
   * the paper's policies also stop evicting.
   */
  double overheadTarget();

  /**
   * Sets the overhead target.
   *
   * @param ratio 0 (admit nothing) to 10; more than 1, which is 100 %, is taken with a warning in
   *     the log
   */
  void setOverheadTarget(double ratio);

  /** Returns the DRAM that the page cache may fill, in bytes; 0 while the small bypass is off. */
  long smallBypassDramBytes();

  /**
   * Sets the DRAM that the small-data-set bypass compares with.
   *
   * @param bytes ≥ 0; 0 turns the bypass off
   */
  void setSmallBypassDramBytes(long bytes);

  /** Returns the part of the data set that has to fit in DRAM for the bypass, as a ratio. */
  double smallBypassFraction();

  /**
   * Sets the part of the data set that has to fit in DRAM.
   *
   * @param ratio more than 0, at most 1
   */
  void setSmallBypassFraction(double ratio);

  /** Returns how long a block must go unused before LFRU may evict it. */
  Duration evictionWindow();

  /**
   * Sets the LFRU window.
   *
   * @param window one second to 365 days; whole seconds count
   */
  void setEvictionWindow(Duration window);

  /** Returns how full the medium must be before LFRU evicts, as a ratio of its capacity. */
  double fullTarget();

  /**
   * Sets the fill level from which LFRU evicts.
   *
   * @param ratio 0.01 to 1
   */
  void setFullTarget(double ratio);

  /** Returns what pins may hold at once, in bytes. */
  long maxPinnedBytes();

  /**
   * Sets what pins may hold at once. Pins beyond a lowered bound stay; no new ones begin until
   * enough have ended.
   *
   * @param bytes ≥ 0; 0 refuses all pins on memory
   */
  void setMaxPinnedBytes(long bytes);

  /**
   * Returns what may be written to the medium in a second, in bytes of its {@linkplain
   * io.nvcache.medium.WriteCost#unitBytes device}; 0 if that is not limited.
   */
  long writeLimitBytesPerSecond();

  /**
   * Limits the speed of writing, beside the overhead target, which knows no time. In any time span
   * no more is written than the limit allows for that long and a second more, but for a block that
   * is longer, and what regions need beside blocks.
   *
   * @param bytes ≥ 0; 0 for no limit
   */
  void setWriteLimitBytesPerSecond(long bytes);

  /**
   * Returns what may be written to the medium in a day, in bytes of its device; 0 if that is not
   * limited.
   */
  long writeLimitBytesPerDay();

  /**
   * Limits the wear of the medium. No 24 hours of one cache see more written than this, and no hour
   * more than 8 % of it; the limit is spread over the day. A warm restart goes on with it.
   *
   * @param bytes ≥ 0; 0 for no limit
   */
  void setWriteLimitBytesPerDay(long bytes);

  /** Tells a listener of all changes from now on. */
  void addListener(SettingListener listener);

  /** Removes a listener. */
  void removeListener(SettingListener listener);
}
