// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policies on one trace, with one size and one budget.
 *
 * @param trace name of the trace
 * @param capacity as it was asked for
 * @param budget as it was asked for
 * @param capacityBytes what the size is
 * @param lookupsPerCapacity lookups for each block that the size holds
 * @param bounds what could be reached, if it was asked for
 * @param cells what each policy reached, in order
 */
public record TraceGroup(
    String trace,
    Amount capacity,
    Amount budget,
    long capacityBytes,
    double lookupsPerCapacity,
    @Nullable Bounds bounds,
    List<TraceCell> cells) {}
