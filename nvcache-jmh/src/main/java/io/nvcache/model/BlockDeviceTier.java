// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.Source;

/**
 * A cache below the file system: it sees disk addresses after the kernel's buffer cache, and is not
 * told when a block is freed. Open CAS is one, in its modes, and so is dm-writecache (SoCC '22,
 * §4.1.1; open-cas.github.io/guide_configuring.html; the kernel's device-mapper documentation).
 */
final class BlockDeviceTier extends CacheTier {
  /** What happens on a miss, and on a write. */
  enum Mode {
    /** Reads fill the cache, writes go to the disk and bring cached blocks up to date. */
    WRITE_AROUND,
    /** Reads fill the cache; writes go to both. */
    WRITE_THROUGH,
    /** Reads fill the cache; writes go to the cache, and to the disk later. */
    WRITE_BACK,
    /** Only writes fill the cache; they go to the disk later. */
    WRITE_ONLY
  }

  /** dm-writecache's watermarks: writing back begins above the one and ends at the other. */
  private static final double HIGH_WATERMARK = 0.5;

  private static final double LOW_WATERMARK = 0.45;
  private static final int BLOCKS_PER_TURN = 64;

  private final Mode mode;
  private final LruList dirty;
  private final int lowBlocks;

  BlockDeviceTier(TierContext context, CachePolicy policy, Mode mode) {
    super(context, policy);
    this.mode = mode;
    int blocks = (int) (context.capacityBytes() / context.machine().parameters().blockBytes());
    this.dirty = new LruList(Math.max(1, (int) (HIGH_WATERMARK * blocks)));
    this.lowBlocks = (int) (LOW_WATERMARK * blocks);
  }

  @Override
  boolean read(int place, Process process) {
    return false;
  }

  @Override
  void readBelow(int place, Process process) {
    if (super.read(place, process)) {
      machine().compute(process, machine().parameters().ssdIoSeconds());
      return;
    }
    machine().readDisk(process);
    if (mode != Mode.WRITE_ONLY) {
      offer(place, Source.READ, process);
    }
  }

  @Override
  void fetched(int place, Source source, Process process) {}

  @Override
  void freed(int place, Process process) {}

  @Override
  void write(int place, Process process) {
    switch (mode) {
      case WRITE_AROUND -> {
        machine().writeDisk(process);
        if (forget(place)) {
          offer(place, Source.FLUSH, process);
        }
      }
      case WRITE_THROUGH -> {
        machine().writeDisk(process);
        forget(place);
        offer(place, Source.FLUSH, process);
      }
      case WRITE_BACK, WRITE_ONLY -> writeLater(place, process);
    }
  }

  private void writeLater(int place, Process process) {
    forget(place);
    if (dirty.find(place) == LruList.NONE && dirty.isFull()) {
      machine().writeDisk(process); // The disk can't keep up: the cache would only be in the way.
      return;
    }
    offer(place, Source.FLUSH, process);
    if (dirty.find(place) == LruList.NONE) {
      dirty.add(place);
    }
  }

  /** One thread writes back, in long writes. */
  @Override
  void everySecond(Process process) {
    super.everySecond(process);
    int blocks = Math.min(BLOCKS_PER_TURN, dirty.size() - lowBlocks);
    for (int i = 0; i < blocks; i++) {
      dirty.remove(dirty.oldest());
    }
    double bytes = (double) Math.max(0, blocks) * machine().parameters().blockBytes();
    machine().readNvram(process, bytes);
    process.pay(machine().disk().second(), bytes);
  }
}
