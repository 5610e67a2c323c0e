// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

/**
 * A figure of an engine that is not one of its reads.
 *
 * @param phase that it belongs to, or {@code end}
 */
record DayFact(String metric, DayEngine engine, String phase, double value, String unit) {}
