// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.device.BytelessMedium;
import io.nvcache.medium.WriteCost;

/** The medium of replays. The statistics of the cache count what is written to it. */
final class CountingMedium extends BytelessMedium {
  /**
   * Makes a medium.
   *
   * @param removalWeight what freeing a block costs, as the policies see it
   */
  CountingMedium(long capacityBytes, double removalWeight) {
    super(capacityBytes, new WriteCost(removalWeight, Integer.MAX_VALUE, 0));
  }

  @Override
  public String describe() {
    return "no bytes, " + capacityBytes() + " counted";
  }
}
