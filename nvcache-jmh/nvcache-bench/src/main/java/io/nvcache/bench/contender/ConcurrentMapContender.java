// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import io.nvcache.medium.Medium;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The naive floor: a {@link ConcurrentHashMap} of slots in one run of memory, first in, first out.
 * Nothing keeps a reader from a slot that is being overwritten: a real cache has to pay for that.
 */
final class ConcurrentMapContender implements Contender {
  private final Medium medium;
  private final int blockBytes;
  private final long base;
  private final ConcurrentHashMap<Long, Integer> slots;
  private final RecentKeys recent;

  ConcurrentMapContender(Medium medium, int blockBytes) {
    this.medium = medium;
    this.blockBytes = blockBytes;
    this.base = medium.address(0, medium.capacityBytes());
    int capacityBlocks = (int) (medium.capacityBytes() / blockBytes);
    this.slots = new ConcurrentHashMap<>(capacityBlocks);
    this.recent = new RecentKeys(capacityBlocks);
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    Integer slot = slots.get(key);
    if (slot == null) {
      return false;
    }
    RawMemory.copyOut(address(slot), dst, blockBytes);
    dst.position(dst.position() + blockBytes);
    return true;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    Integer slot = slots.get(key);
    return slot == null ? ABSENT : RawMemory.getLongBigEndian(address(slot) + at);
  }

  @Override
  public void put(long key, ByteBuffer block) {
    int slot = recent.nextPlace();
    long evicted = recent.put(slot, key);
    if (evicted != RecentKeys.NONE) {
      slots.remove(evicted);
    }
    RawMemory.copyIn(block, block.position(), address(slot), blockBytes);
    slots.put(key, slot);
  }

  @Override
  public void replace(long key, ByteBuffer block) {
    Integer slot = slots.get(key);
    if (slot != null) {
      RawMemory.copyIn(block, block.position(), address(slot), blockBytes);
    }
  }

  private long address(int slot) {
    return base + (long) slot * blockBytes;
  }

  @Override
  public void close() {
    medium.close();
  }
}
