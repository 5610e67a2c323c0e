// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.control.Settings;
import java.util.function.LongSupplier;

/**
 * The parts of a cache that an eviction policy gets when it is made.
 *
 * @param slots how many slots the index has
 * @param marks a byte per slot for the policy's use
 * @param settings the live thresholds
 * @param nanoTime the clock
 */
public record EvictionContext(
    int slots, SlotMarks marks, Settings settings, LongSupplier nanoTime) {}
