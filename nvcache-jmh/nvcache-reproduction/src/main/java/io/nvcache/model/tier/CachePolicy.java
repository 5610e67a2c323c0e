// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.medium.WriteCost;
import java.time.Duration;
import java.util.Set;

/**
 * How a system configures the real cache.
 *
 * @param admission which blocks are written
 * @param eviction which blocks are evicted
 * @param evictionWindow of eviction that follows time
 * @param overheadTarget medium writes per lookup
 * @param writeCost the cost of writing that the policies see
 * @param allocationBytes that the system's allocator writes in addition to each block
 * @param removalBytes that it writes for each block taken out
 * @param indexedBlockBytes the mean block that the index is sized for
 * @param offers what is offered
 */
public record CachePolicy(
    AdmissionFactory admission,
    EvictionFactory eviction,
    Duration evictionWindow,
    double overheadTarget,
    WriteCost writeCost,
    int allocationBytes,
    int removalBytes,
    int indexedBlockBytes,
    Set<Trigger> offers) {
  /** The same with another choice of what is evicted. */
  CachePolicy withEviction(EvictionFactory other) {
    return new CachePolicy(
        admission,
        other,
        evictionWindow,
        overheadTarget,
        writeCost,
        allocationBytes,
        removalBytes,
        indexedBlockBytes,
        offers);
  }

  /** When a block is offered. */
  enum Trigger {
    READ,
    WRITE,
    PAGE_LEFT
  }
}
