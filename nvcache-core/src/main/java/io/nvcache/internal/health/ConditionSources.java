// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.internal.background.LastRound;
import io.nvcache.internal.policy.PolicyFailures;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The places where {@link ConditionWatch} looks for trouble that no counter shows.
 *
 * @param policyFailures what policies threw
 * @param unsavedInvalidations why invalidations could not be recorded; null if all were
 * @param plannedPart the part of the overhead target that the limit of a day leaves
 * @param lostDrives the drives that are lost, in words; empty if none is
 * @param lastRound the background work
 */
public record ConditionSources(
    PolicyFailures policyFailures,
    Supplier<@Nullable String> unsavedInvalidations,
    DoubleSupplier plannedPart,
    Supplier<String> lostDrives,
    LastRound lastRound) {}
