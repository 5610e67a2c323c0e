// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

import io.nvcache.control.Settings;
import java.util.function.LongSupplier;

/**
 * Holds writes to the medium, in bytes of its device, to so many bytes a second, to protect its
 * readers, and a day, to protect its cells. Is asked after the overhead target, which relates
 * writes to lookups and knows neither time nor wear; operators of flash caches limit both
 * (CacheLib's dynamic random admission has a daily average and a highest speed). The limit of a day
 * also lowers the target that admission plans with.
 *
 * <p><b>Guarantees.</b> With {@code S} the limit for a second: in any {@code t} seconds at most
 * {@code S·(t + 1)} bytes. With {@code D} the limit for a day: in any 24 hours at most {@code D},
 * since the bucket holds an hour's worth, 1/25 of {@code D}, and the 24 hours fill in 24 more; so
 * in any hour at most two 25ths, 8 %. Either may be exceeded by one block that is longer than its
 * bucket; in regions also once by what the log's buffer holds, and by footers and superblocks,
 * which have to be written. What comes next is held back for all of them: what a piece of the log
 * takes beyond the charges of its blocks, for headers and padding, is charged when it is
 * {@linkplain #settle written}.
 */
public final class WriteGovernor {
  private static final double DAY_SECONDS = 86_400;
  private static final double HOURS_AND_BURST = 25;

  private final Settings settings;
  private final LongSupplier nanoTime;
  private final ByteBucket second = new ByteBucket();
  private final ByteBucket day = new ByteBucket();

  /**
   * Charged for blocks, and not settled: what is in the log. Counts on, without effect, where no
   * log is. Under the monitor.
   */
  private long unsettled;

  public WriteGovernor(Settings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns the medium writes per lookup that admission may plan with, as a ratio: the overhead
   * target, and less in proportion when less than half an hour of the day's limit is left. Where
   * the limit is the tighter bound, the two meet at a level where writes come as fast as the limit
   * allows. So admission raises its price and takes the best blocks, where the limit alone would
   * take whichever come first.
   */
  public double overheadTarget() {
    return settings.overheadTarget() * plannedPart();
  }

  /** Returns the part of the overhead target that admission may plan with; 1 without a limit. */
  public double plannedPart() {
    double perDay = settings.writeLimitBytesPerDay();
    return perDay == 0 ? 1 : plannedPart(perDay);
  }

  private synchronized double plannedPart(double perDay) {
    advanceDay(nanoTime.getAsLong(), perDay);
    double halfAnHour = perDay / HOURS_AND_BURST / 2;
    return Math.max(0, Math.min(1, day.level() / halfAnHour));
  }

  /** Charges a write; false if it would exceed a limit. Costs two reads while there is none. */
  public boolean tryCharge(int bytes) {
    long perSecond = settings.writeLimitBytesPerSecond();
    long perDay = settings.writeLimitBytesPerDay();
    return (perSecond == 0 && perDay == 0) || tryCharge(bytes, (double) perSecond, (double) perDay);
  }

  private synchronized boolean tryCharge(int bytes, double perSecond, double perDay) {
    long now = nanoTime.getAsLong();
    advance(second, now, perSecond, perSecond);
    advanceDay(now, perDay);
    boolean fits = (perSecond == 0 || second.has(bytes)) && (perDay == 0 || day.has(bytes));
    if (fits) {
      take(bytes);
      unsettled += bytes;
    }
    return fits;
  }

  private static void advance(ByteBucket bucket, long now, double rate, double burst) {
    if (burst == 0) {
      bucket.clear();
    } else {
      bucket.advance(now, rate, burst);
    }
  }

  /** Takes a charge back: nothing was written. */
  public synchronized void refund(int bytes) {
    second.giveBack(bytes);
    day.giveBack(bytes);
    unsettled -= bytes;
  }

  /** Charges bytes that had to be written, whatever the limits have left. */
  public void charge(int bytes) {
    if (isLimited()) {
      synchronized (this) {
        take(bytes);
      }
    }
  }

  private boolean isLimited() {
    return settings.writeLimitBytesPerSecond() != 0 || settings.writeLimitBytesPerDay() != 0;
  }

  private synchronized void take(int bytes) {
    second.take(bytes);
    day.take(bytes);
  }

  /** Charges what a piece of the log takes beyond what was charged for its blocks. */
  public synchronized void settle(int pieceBytes) {
    unsettled = isLimited() ? unsettled - pieceBytes : 0;
    if (unsettled < 0) {
      take((int) -unsettled);
      unsettled = 0;
    }
  }

  /** Returns what may be written of the limit of a day now, in bytes; -1 without a limit. */
  public synchronized long daySpareBytes() {
    long perDay = settings.writeLimitBytesPerDay();
    if (perDay == 0) {
      return -1;
    }
    advanceDay(nanoTime.getAsLong(), (double) perDay);
    return Math.max(0, (long) day.level());
  }

  /**
   * Goes on with the limit of a day where an earlier cache ended.
   *
   * @param spareBytes what {@link #daySpareBytes} was
   * @param passedMillis since then
   */
  public synchronized void resumeDay(long spareBytes, long passedMillis) {
    long perDay = settings.writeLimitBytesPerDay();
    if (perDay == 0 || spareBytes < 0) {
      return;
    }
    advanceDay(nanoTime.getAsLong(), (double) perDay);
    double passedSeconds = Math.max(0, passedMillis) * 1e-3;
    day.lower(spareBytes + passedSeconds * perDay / HOURS_AND_BURST * 24 / DAY_SECONDS);
  }

  private void advanceDay(long now, double perDay) {
    double hour = perDay / HOURS_AND_BURST;
    advance(day, now, hour * 24 / DAY_SECONDS, hour);
  }
}
