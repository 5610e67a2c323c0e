// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.shadow.KeySample;
import io.nvcache.stats.LoadTimes;

/**
 * The samples that are taken of calls.
 *
 * @param keys of shadows
 * @param times of hits and loads
 * @param visits to blocks that are read in parts
 */
public record Samples(KeySample keys, LoadTimes times, Visits visits) {}
