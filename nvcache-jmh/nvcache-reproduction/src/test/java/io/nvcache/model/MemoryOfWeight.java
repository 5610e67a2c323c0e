// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;

/** Native memory that is said to cost so much to write. */
final class MemoryOfWeight extends ForwardingMedium {
  private final WriteCost writeCost;

  MemoryOfWeight(long capacityBytes, WriteCost writeCost) {
    super(NativeMedium.allocate(capacityBytes));
    this.writeCost = writeCost;
  }

  @Override
  public int alignmentBytes() {
    return 256;
  }

  @Override
  public WriteCost writeCost() {
    return writeCost;
  }
}
