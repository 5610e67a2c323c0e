// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import org.jspecify.annotations.Nullable;

/**
 * What one policy reached.
 *
 * @param policy the policy
 * @param result what came of its replay
 * @param atEqualWrites what comes of it with the budget that the default policy spent; null if the
 *     policy keeps no budget, or the default is not compared
 */
public record TraceCell(
    TracePolicy policy, ReplayResult result, @Nullable ReplayResult atEqualWrites) {}
