// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.trace.Zipfian;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/** Where the hot rows lie among the others. */
public enum KeyOrder {
  /** Each for itself, anywhere. */
  SCATTERED("scattered", 1),

  /** Side by side, in runs that lie anywhere. */
  CLUSTERED("clustered", 200);

  private final String label;
  private final int runRows;

  KeyOrder(String label, int runRows) {
    this.label = label;
    this.runRows = runRows;
  }

  /** The name in records. */
  public String label() {
    return label;
  }

  /** Draws the rows to read from a zipfian distribution. */
  IntUnaryOperator rows(int rows, int seed) {
    int runs = Math.max(1, rows / runRows);
    List<Integer> places = new ArrayList<>(runs);
    for (int run = 0; run < runs; run++) {
      places.add(run);
    }
    Collections.shuffle(places, new Random(seed));
    int[] placeOf = places.stream().mapToInt(Integer::intValue).toArray();
    int drawn = runs * runRows;
    Zipfian zipfian = new Zipfian(drawn);
    return draw -> {
      int rank = (int) zipfian.rank(new SplittableRandom(draw).nextDouble());
      return placeOf[rank / runRows] * runRows + rank % runRows;
    };
  }
}
