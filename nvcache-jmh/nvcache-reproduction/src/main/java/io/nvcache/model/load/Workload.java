// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

import java.util.List;

/**
 * A load, in the sizes and times of the real machine.
 *
 * @param name its name
 * @param groups the clients
 * @param keys which pages are asked for
 * @param driftShare of the reads, how many go to 1/10 of the keys that moves through all of them
 *     once an hour
 * @param dataGb before the run
 * @param pageCacheGb of the store; 0 = half of the DRAM, at most 40
 * @param minutes of the run
 * @param scanPages the most pages of a scan; lengths are uniform from 1 on
 */
public record Workload(
    String name,
    List<ClientMix> groups,
    KeyDistribution keys,
    double driftShare,
    double dataGb,
    double pageCacheGb,
    double minutes,
    int scanPages) {
  /** The same with a part of the reads drifting. */
  public Workload drifting(double share) {
    return new Workload(name, groups, keys, share, dataGb, pageCacheGb, minutes, scanPages);
  }

  /** The same with other sizes. */
  public Workload sized(String newName, double newDataGb, double newPageCacheGb) {
    return new Workload(
        newName, groups, keys, driftShare, newDataGb, newPageCacheGb, minutes, scanPages);
  }

  /** The same for another time. */
  public Workload lasting(double newMinutes) {
    return new Workload(name, groups, keys, driftShare, dataGb, pageCacheGb, newMinutes, scanPages);
  }

  /** The same with keys drawn by another law. */
  public Workload with(KeyDistribution newKeys) {
    return new Workload(name, groups, newKeys, driftShare, dataGb, pageCacheGb, minutes, scanPages);
  }
}
