// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a property over many seeds and names the seed that breaks it. */
public final class Seeds {
  private Seeds() {}

  /** Runs the property with seeds 1 to {@code count}. */
  public static void each(int count, Consumer<Random> property) {
    for (int seed = 1; seed <= count; seed++) {
      try {
        property.accept(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
