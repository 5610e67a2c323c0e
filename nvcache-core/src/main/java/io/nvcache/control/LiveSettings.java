// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.time.Duration;
import java.util.Objects;

/**
 * The thresholds that may be changed while a cache runs, over this interface or over JMX. A change
 * is seen by the next decision. A value outside its range is refused with an {@link
 * IllegalArgumentException} that names the value and the range, and nothing changes. Thread-safe.
 *
 * <p>A setting that the configured policies do not read has no effect.
 */
public interface LiveSettings extends Settings {
  /**
   * Sets a setting.
   *
   * @param value of the type that {@link #get} returns
   */
  void set(LiveSetting setting, Object value);

  /**
   * Sets the overhead target.
   *
   * @param ratio 0 (admit nothing) to 10; more than 1, which is 100 %, is taken with a warning in
   *     the log
   */
  default void setOverheadTarget(double ratio) {
    set(LiveSetting.OVERHEAD_TARGET, ratio);
  }

  /**
   * Sets the DRAM that the small-data-set bypass compares with.
   *
   * @param bytes ≥ 0; 0 turns the bypass off
   */
  default void setSmallBypassDramBytes(long bytes) {
    set(LiveSetting.SMALL_BYPASS_DRAM_BYTES, bytes);
  }

  /**
   * Sets the part of the data set that has to fit in DRAM.
   *
   * @param ratio more than 0, at most 1
   */
  default void setSmallBypassFraction(double ratio) {
    set(LiveSetting.SMALL_BYPASS_FRACTION, ratio);
  }

  /**
   * Sets the LFRU window.
   *
   * @param window one second to 365 days; whole seconds count
   */
  default void setEvictionWindow(Duration window) {
    set(LiveSetting.EVICTION_WINDOW, Objects.requireNonNull(window, "window"));
  }

  /**
   * Sets the fill level from which LFRU evicts.
   *
   * @param ratio 0.01 to 1
   */
  default void setFullTarget(double ratio) {
    set(LiveSetting.FULL_TARGET, ratio);
  }

  /**
   * Sets the share of the cache in which eviction passes over {@linkplain
   * io.nvcache.BlockRank#IMPORTANT important} blocks. Past a lowered share, those that came first
   * become ordinary with the next one that is offered.
   *
   * @param ratio 0 to 0.9 of the capacity; 0 passes over none
   */
  default void setImportantShare(double ratio) {
    set(LiveSetting.IMPORTANT_SHARE, ratio);
  }

  /**
   * Sets what pins may hold at once. Pins beyond a lowered bound stay; no new ones begin until
   * enough have ended.
   *
   * @param bytes ≥ 0; 0 refuses all pins on memory
   */
  default void setMaxPinnedBytes(long bytes) {
    set(LiveSetting.MAX_PINNED_BYTES, bytes);
  }

  /**
   * Limits the speed of writing, next to the overhead target, which knows no time. In any time span
   * no more is written than the limit allows for that long and a second more, except for a block
   * that is longer, and what regions need besides blocks.
   *
   * @param bytes ≥ 0; 0 for no limit
   */
  default void setWriteLimitBytesPerSecond(long bytes) {
    set(LiveSetting.WRITE_LIMIT_BYTES_PER_SECOND, bytes);
  }

  /**
   * Limits the wear of the medium. No 24 hours of one cache see more written than this, and no hour
   * more than 8 % of it; the limit is spread over the day. A warm restart continues with it.
   *
   * @param bytes ≥ 0; 0 for no limit
   */
  default void setWriteLimitBytesPerDay(long bytes) {
    set(LiveSetting.WRITE_LIMIT_BYTES_PER_DAY, bytes);
  }

  /**
   * Sets how many of the reads of {@linkplain io.nvcache.BlockPlacement#REGIONS regions} in the
   * clear compare all of the block with its checksum. It is about blocks that fill whole pages of 4
   * KiB: they have no header on the medium. Each is compared when it is first read after it was
   * written or restored; this is the part of the later reads that are. Blocks of other lengths, and
   * those that are encrypted, are verified at each read.
   *
   * @param ratio 0 (the first read only) to 1 (always)
   */
  default void setVerifiedReads(double ratio) {
    set(LiveSetting.VERIFIED_READS, ratio);
  }

  /** Tells a listener of all changes from now on. */
  void addListener(SettingListener listener);

  /** Removes a listener. */
  void removeListener(SettingListener listener);
}
