// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.space.LocationCodec;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Overwrites space as it is freed, and looks when it is taken again whether it was written to in
 * between: a write that came too late, or went astray. A reader that wrongly sees freed space finds
 * bytes that belong to no block.
 */
public final class PoisonedSpace implements Allocator.SlotObserver {
  /** What freed space is filled with. */
  static final byte POISON = (byte) 0xDB;

  private static final Logger LOG = LoggerFactory.getLogger(PoisonedSpace.class);
  private static final int STEP_BYTES = 4096;

  private final Medium medium;
  private final LocationCodec locations;
  private final ByteBuffer poison = ByteBuffer.allocate(STEP_BYTES);
  private final AtomicLong faults = new AtomicLong();

  /** By offset: how many bytes of poison lie there. */
  private final ConcurrentSkipListMap<Long, Integer> poisoned = new ConcurrentSkipListMap<>();

  public PoisonedSpace(Medium medium, LocationCodec locations) {
    this.medium = medium;
    this.locations = locations;
    while (poison.hasRemaining()) {
      poison.put(POISON);
    }
    poison.clear();
  }

  /** Places found written to. */
  public long faults() {
    return faults.get();
  }

  @Override
  public void freed(long location, int slotBytes) {
    long offset = locations.byteOffset(location);
    try {
      for (int at = 0; at < slotBytes; at += STEP_BYTES) {
        medium.write(offset + at, poison, 0, Math.min(STEP_BYTES, slotBytes - at));
      }
      poisoned.put(offset, slotBytes);
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("space at {} was not poisoned", offset, e);
    }
  }

  @Override
  public void taken(long location, int slotBytes) {
    long offset = locations.byteOffset(location);
    long end = offset + slotBytes;
    Map.Entry<Long, Integer> before = poisoned.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() > offset) {
      check(before, offset, end);
    }
    for (Map.Entry<Long, Integer> inside : poisoned.subMap(offset, end).entrySet()) {
      check(inside, offset, end);
    }
  }

  /** Looks at what lies in the slot only: the rest may be in use already. */
  private void check(Map.Entry<Long, Integer> entry, long slotStart, long slotEnd) {
    if (poisoned.remove(entry.getKey()) == null) {
      return; // Another slot that shares this piece had it.
    }
    long from = Math.max(slotStart, entry.getKey());
    long to = Math.min(slotEnd, entry.getKey() + entry.getValue());
    ByteBuffer found = ByteBuffer.allocate(STEP_BYTES);
    try {
      for (long at = from; at < to; at += STEP_BYTES) {
        int length = (int) Math.min(STEP_BYTES, to - at);
        medium.read(at, found.clear(), length);
        int differs = found.limit(length).mismatch(poison.duplicate().limit(length));
        if (differs >= 0) {
          faults.incrementAndGet();
          LOG.error("free space was written to, at byte {} of the medium", at + differs);
          return;
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("space at {} was not looked at", slotStart, e);
    }
  }
}
