// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.remove.MediumFailureHandler;
import io.nvcache.internal.space.BlockStore;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.medium.WriteCost;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Places each block in its own slot, where it is written at once. */
public final class SlotStore implements BlockStore {
  private final MediumSpace space;
  private final Allocator allocator;
  private final SlotAllocation allocation;
  private final SlotRebalancing rebalancing;
  private final StripedCounters counters;
  private final MediumFailureHandler mediumFailures;
  private final WriteCost cost;

  public SlotStore(
      MediumSpace space,
      Allocator allocator,
      SlotAllocation allocation,
      SlotRebalancing rebalancing,
      StripedCounters counters,
      MediumFailureHandler mediumFailures) {
    this.space = space;
    this.allocator = allocator;
    this.allocation = allocation;
    this.rebalancing = rebalancing;
    this.counters = counters;
    this.mediumFailures = mediumFailures;
    this.cost = space.medium().writeCost();
  }

  @Override
  public long allocate(int lengthBytes, int hintSlot, int stripe) {
    return allocation.allocate(lengthBytes, hintSlot, stripe);
  }

  @Override
  public boolean put(
      long location,
      long hash,
      int sum,
      ByteBuffer block,
      int position,
      int lengthBytes,
      int stripe) {
    ByteBuffer unmoved = space.unmovedForWrite(block, position);
    try {
      space.write(location, unmoved, position, lengthBytes);
      counters.add(stripe, Counter.MEDIUM_WRITTEN_BYTES, lengthBytes);
      counters.add(stripe, Counter.DEVICE_WRITTEN_BYTES, deviceBytes(lengthBytes));
      return true;
    } catch (IOException | RuntimeException | Error failure) {
      // A broken medium is a full one.
      mediumFailures.writeFailed(failure, stripe);
      return false;
    }
  }

  @Override
  public int deviceBytes(int lengthBytes) {
    return cost.deviceBytes(lengthBytes);
  }

  @Override
  public int maxConcurrentWriters() {
    return cost.maxConcurrentWriters();
  }

  @Override
  public boolean wantsRoom() {
    return allocator.wantsDraining();
  }

  @Override
  public void maintain() {
    rebalancing.run();
  }
}
