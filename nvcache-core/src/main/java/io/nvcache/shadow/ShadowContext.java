// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.admission.Traffic;
import io.nvcache.control.DataSet;
import io.nvcache.control.Settings;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The context of shadows: the cache that they belong to.
 *
 * @param live the cache's own policies
 * @param presets the policies of other names; throws {@link IllegalArgumentException} for unknown
 *     ones
 * @param traffic the cache's own counts
 * @param dataSet the store's files
 * @param settings the live settings
 * @param removalWeight medium writes that a removal costs
 * @param writeHarm bytes that readers can't read for each byte written
 * @param capacityBytes the cache's capacity
 * @param expectedBlockBytes the mean length of the blocks to come
 * @param hashSeed what keys the hashes of the cache's policies, and of the miniatures'
 * @param nanoTime the clock
 */
public record ShadowContext(
    PolicyPair live,
    Function<String, PolicyPair> presets,
    Traffic traffic,
    DataSet dataSet,
    Settings settings,
    double removalWeight,
    double writeHarm,
    long capacityBytes,
    int expectedBlockBytes,
    long hashSeed,
    LongSupplier nanoTime) {

  PolicyPair policies(ShadowSpec spec) {
    return spec.policy().equals(ShadowSpec.LIVE) ? live : presets.apply(spec.policy());
  }
}
