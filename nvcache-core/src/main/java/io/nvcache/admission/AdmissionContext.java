// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.VictimPricing;
import io.nvcache.control.DataSet;
import io.nvcache.control.Settings;
import java.util.function.DoubleSupplier;

/**
 * The parts of a cache that an admission policy gets when it is made.
 *
 * @param traffic the counts of lookups, inserts and removals
 * @param dataSet the files that the store serves
 * @param settings the live thresholds
 * @param overheadTarget the medium writes per lookup that are allowed now, as a ratio: the live
 *     setting, or less where the limit of a day would not last. A policy that keeps to it writes
 *     the blocks that are worth it most, where the limit alone takes whichever come first
 * @param removalWeight medium writes that one removal costs, relative to an insert: 0 where freeing
 *     writes nothing to the medium, 1 as in the paper
 * @param writeHarm bytes that readers can't read for each byte written next to them; 0 where writes
 *     take nothing from reads
 * @param capacityBlocks about how many blocks the medium holds when full, ≥ 1
 * @param expectedBlockBytes the mean length of the blocks to come, of which capacityBlocks fit
 * @param residents what the eviction policy knows of the blocks that are cached
 * @param hashSeed makes a policy's hashes differ from cache to cache, so that no user can compute
 *     blocks that collide; the same seed gives the same decisions
 */
public record AdmissionContext(
    Traffic traffic,
    DataSet dataSet,
    Settings settings,
    DoubleSupplier overheadTarget,
    double removalWeight,
    double writeHarm,
    long capacityBlocks,
    int expectedBlockBytes,
    VictimPricing residents,
    long hashSeed) {}
