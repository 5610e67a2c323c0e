// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockPlacement;
import io.nvcache.trace.TraceFormat;
import io.nvcache.trace.TraceSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be replayed: every policy on every trace, with every size and budget.
 *
 * @param traces where they come from
 * @param format of the files; null to find out
 * @param policies what to compare
 * @param capacities sizes of the cache
 * @param budgets overhead targets
 * @param dram size of the DRAM tier
 * @param removalWeight medium writes that a removal counts for
 * @param second lookups that pass in a second of virtual time, or a share of the blocks that the
 *     cache holds
 * @param placement how blocks lie on the medium
 * @param seed of all that is random
 * @param threads how many replays run at a time
 * @param bounds whether to compute what could be reached
 */
public record TraceSettings(
    List<TraceSource> traces,
    @Nullable TraceFormat format,
    List<TracePolicy> policies,
    List<Amount> capacities,
    List<Amount> budgets,
    Amount dram,
    double removalWeight,
    Amount second,
    BlockPlacement placement,
    long seed,
    int threads,
    boolean bounds) {}
