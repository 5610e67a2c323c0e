// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Labelled;
import io.nvcache.trace.Zipfian;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/** Where the hot rows lie among the others. */
public enum KeyOrder implements Labelled {
  /** Each for itself, anywhere. */
  SCATTERED(1),

  /** Side by side, in runs that lie anywhere. */
  CLUSTERED(200);

  private final int runRows;

  KeyOrder(int runRows) {
    this.runRows = runRows;
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
