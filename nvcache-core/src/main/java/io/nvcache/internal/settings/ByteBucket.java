// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

/**
 * A token bucket of bytes whose rate may change while it runs. In any span of {@code t} seconds it
 * lets through no more than {@code burst + rate·t}, and a block longer than the burst once the
 * bucket is full. Its callers hold one lock.
 */
public final class ByteBucket {
  private static final double NANOS = 1e-9;

  private double level;
  private double burst;
  private long lastNanos;

  /** Lets time pass; a bucket that had no burst yet starts full. */
  public void advance(long nowNanos, double bytesPerSecond, double burstBytes) {
    double passed = Math.max(0, nowNanos - lastNanos) * NANOS;
    level = burst == 0 ? burstBytes : Math.min(burstBytes, level + bytesPerSecond * passed);
    burst = burstBytes;
    lastNanos = nowNanos;
  }

  public boolean has(int bytes) {
    return level >= Math.min(bytes, burst);
  }

  public void take(int bytes) {
    level -= bytes;
  }

  void giveBack(int bytes) {
    level = Math.min(burst, level + bytes);
  }

  double level() {
    return level;
  }

  /** Has no more in it than this. */
  void lower(double atMost) {
    level = Math.min(level, atMost);
  }

  /** Forgets everything: the next limit starts again. */
  void clear() {
    level = 0;
    burst = 0;
  }
}
