// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

/**
 * One point of a run's curves. Ratios are NaN where nothing was counted.
 *
 * @param seconds since the run began, warm-up included
 * @param throughput operations per second since the last sample
 * @param hitRatio of the second tier since the last sample
 * @param writesPerLookup medium writes per lookup since the run began
 */
public record Sample(double seconds, double throughput, double hitRatio, double writesPerLookup) {}
