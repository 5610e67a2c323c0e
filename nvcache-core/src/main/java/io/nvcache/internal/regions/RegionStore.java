// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.BlockStore;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;

/** Appends each block to a region, in a buffer that is written later; see {@link AppendLog}. */
public final class RegionStore implements BlockStore {
  private final RegionSpace space;
  private final AppendLog log;
  private final RegionWork work;
  private final StripedCounters counters;

  public RegionStore(RegionSpace space, RegionWork work, StripedCounters counters) {
    this.space = space;
    this.log = space.log();
    this.work = work;
    this.counters = counters;
  }

  /** No block is evicted for another: regions are emptied by their own work. */
  @Override
  public long allocate(int lengthBytes, int hintSlot, int stripe) {
    long location = log.append(lengthBytes);
    return location < 0 && work.makeRoom() ? log.append(lengthBytes) : location;
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
    space.put(location, hash, sum, block, position, lengthBytes);
    counters.add(stripe, Counter.MEDIUM_WRITTEN_BYTES, lengthBytes);
    return true;
  }

  @Override
  public void committed(long location, int lengthBytes) {
    log.committed(location, lengthBytes);
    work.appended();
  }

  /** Blocks share the units of the device. */
  @Override
  public int deviceBytes(int lengthBytes) {
    return log.usualSpaceBytes(lengthBytes);
  }

  /** They write to DRAM. */
  @Override
  public int maxConcurrentWriters() {
    return Integer.MAX_VALUE;
  }

  /** The regions' own work is woken when there is some. */
  @Override
  public boolean wantsRoom() {
    return false;
  }

  @Override
  public void maintain() {
    work.maintain();
  }
}
