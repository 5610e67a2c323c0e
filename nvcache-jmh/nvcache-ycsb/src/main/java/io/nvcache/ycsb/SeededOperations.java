// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import site.ycsb.generator.DiscreteGenerator;

/** Draws the kind of each operation from the calling thread's source. */
final class SeededOperations extends DiscreteGenerator {
  private final Map<String, Double> shares;
  private final Supplier<SplittableRandom> random;

  SeededOperations(WorkloadChoice workload, Supplier<SplittableRandom> random) {
    this.shares = workload.shares();
    this.random = random;
  }

  @Override
  public String nextValue() {
    double left = random.get().nextDouble();
    String possible = "";
    for (Map.Entry<String, Double> operation : shares.entrySet()) {
      if (operation.getValue() > 0) {
        possible = operation.getKey();
        left -= operation.getValue();
      }
      if (left < 0) {
        break;
      }
    }
    // Where rounding leaves a rest, the last possible operation takes it.
    return possible;
  }
}
