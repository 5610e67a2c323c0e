// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.model.machine.ModelMachine;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * What a system knows when its tier is made.
 *
 * @param machine the devices
 * @param scale that sizes and durations are divided by
 * @param capacityBytes of the tier, divided by the scale
 * @param dramBytes of the machine, divided by the scale
 * @param seed of all that is random
 * @param operations how many operations the clients have done
 * @param writers how many writes of the tier's medium are under way
 */
public record TierContext(
    ModelMachine machine,
    int scale,
    long capacityBytes,
    long dramBytes,
    long seed,
    LongSupplier operations,
    IntSupplier writers) {
  /** The store's clock: seconds as they pass for it. */
  double storeSeconds() {
    return machine.simulation().nowSeconds() * scale;
  }

  /** The same for the engine. */
  public long storeNanos() {
    return (long) (storeSeconds() * 1e9);
  }
}
