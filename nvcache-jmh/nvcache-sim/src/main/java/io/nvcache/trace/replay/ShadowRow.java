// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

/**
 * What shadows said of one setting, next to what a cache of that setting did.
 *
 * @param trace the trace's name
 * @param capacity of the cache that kept the shadows, as it was asked for
 * @param sampleRatio the part of the keys that was sampled
 * @param kind {@code size} for the cache's own policies at another size, {@code candidate} for
 *     other policies and targets, {@code lru} for a point of LRU's curve
 * @param name of the setting
 * @param hitRatio of the real cache; for LRU of an exact one in bytes
 * @param shadowHitRatio what the shadows said
 * @param writesPerLookup of the real cache, in blocks; NaN for LRU, which is compared with the
 *     exact curve
 * @param shadowWritesPerLookup what the shadows said; NaN for LRU
 */
public record ShadowRow(
    String trace,
    String capacity,
    double sampleRatio,
    String kind,
    String name,
    double hitRatio,
    double shadowHitRatio,
    double writesPerLookup,
    double shadowWritesPerLookup) {
  /** How far the shadows were off, as a ratio of lookups. */
  public double error() {
    return Math.abs(hitRatio - shadowHitRatio);
  }
}
