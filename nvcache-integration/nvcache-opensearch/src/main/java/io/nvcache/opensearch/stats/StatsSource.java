// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the action of a node finds the statistics of its cache.
 *
 * @param cache null on a node without one
 */
public record StatsSource(@Nullable Supplier<NodeCacheStats> cache) {}
