// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Labelled;
import io.nvcache.trace.Zipfian;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/** What is read, as parts of the cache's capacity. */
public enum HBaseScenario implements Labelled {
  /** All data fits: uniform reads. */
  FITS(0.6, 0, false),

  /** 40 % of the data fits: zipfian reads. */
  SKEWED40(2.5, 0, true),

  /** A hot set that fits, read uniformly; between the slices a scan over cold files. */
  SCAN(0.6, 3, false),

  /** Far more data than fits: uniform reads. */
  CHURN(8, 0, false),

  /** As skewed40, while files are rewritten and the new ones cached as they are written. */
  MIXED(2.5, 0, true),

  /** A fifth of the data fits: zipfian reads before, during and after one major compaction. */
  COMPACTION(5, 0, true),

  /** All data fits: regions are opened with prefetch on, closed, and opened again. */
  REOPEN(0.6, 0, false),

  /** 40 % of the data fits: regions are opened with prefetch on. */
  PREFETCH(2.5, 0, false);

  /** Those in which the engines take turns. */
  public static final List<HBaseScenario> IN_TURNS = List.of(FITS, SKEWED40, SCAN, CHURN, MIXED);

  private final double dataPerCapacity;
  private final double coldPerCapacity;
  private final boolean skewed;

  HBaseScenario(double dataPerCapacity, double coldPerCapacity, boolean skewed) {
    this.dataPerCapacity = dataPerCapacity;
    this.coldPerCapacity = coldPerCapacity;
    this.skewed = skewed;
  }

  long dataBytes(long capacityBytes) {
    return (long) (dataPerCapacity * capacityBytes);
  }

  long coldBytes(long capacityBytes) {
    return (long) (coldPerCapacity * capacityBytes);
  }

  /** Draws the rows to read; the hottest ones lie all over the files. */
  IntUnaryOperator rows(int rows) {
    if (!skewed) {
      return draw -> (int) ((Integer.toUnsignedLong(mix(draw)) * rows) >>> Integer.SIZE);
    }
    Zipfian zipfian = new Zipfian(rows);
    return draw -> {
      long rank = zipfian.rank(new SplittableRandom(draw).nextDouble());
      return (int) Math.floorMod((rank * 0x9e3779b97f4a7c15L) >>> 17, (long) rows);
    };
  }

  private static int mix(int draw) {
    return (int) (new SplittableRandom(draw).nextLong() >>> Integer.SIZE);
  }
}
