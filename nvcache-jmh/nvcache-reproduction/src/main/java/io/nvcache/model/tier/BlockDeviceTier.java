// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.IntStack;
import io.nvcache.model.machine.LruList;

/**
 * A cache below the file system: it sees disk addresses after the kernel's buffer cache, and is not
 * told when a block is freed. Open CAS is one, in its modes, and so is dm-writecache (SoCC '22,
 * §4.1.1; open-cas.github.io/guide_configuring.html; the kernel's device-mapper documentation).
 *
 * <p>What both write to the disk later they clean differently. dm-writecache has watermarks, and a
 * thread that continues from the one to the other. Open CAS's default, ALRU, cleans while no client
 * uses the device; under load that is never, so a client that finds the cache full of unwritten
 * blocks has to wait for one to be cleaned. In both, a client that has an unwritten block make room
 * waits until it is read from NVRAM and written to the disk.
 *
 * <p><b>Invariant.</b> Between two calls, each block that the disk has not got is in the cache.
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

  /** How what is to be written to the disk later gets there. */
  enum Cleaning {
    /** By a thread, from the one watermark down to the other. */
    WATERMARKS,
    /** By the client that finds no room. */
    ON_DEMAND
  }

  /** dm-writecache's watermarks: writing back begins above the one and ends at the other. */
  private static final double HIGH_WATERMARK = 0.5;

  private static final double LOW_WATERMARK = 0.45;

  /** Beyond it nothing is written later: the disk can't keep up. */
  private static final double FULL = 0.95;

  /** As fast as a thread can that shares the disk. */
  private static final double CLEANED_BYTES_PER_SECOND = 1.8e9;

  private final Mode mode;
  private final Cleaning cleaning;
  private final Departures departures;
  private final LruList dirty;
  private final int highBlocks;
  private final int lowBlocks;
  private final double cleanedPerStoreSecond;
  private boolean isCleaning;
  private double credit;

  BlockDeviceTier(TierContext context, CachePolicy policy, Mode mode, Cleaning cleaning) {
    this(context, policy, mode, cleaning, new Departures());
  }

  private BlockDeviceTier(
      TierContext context,
      CachePolicy policy,
      Mode mode,
      Cleaning cleaning,
      Departures departures) {
    super(context, policy.withEviction(departures.watching(policy.eviction())));
    this.departures = departures;
    this.mode = mode;
    this.cleaning = cleaning;
    int blockBytes = context.machine().parameters().blockBytes();
    int blocks = (int) (context.capacityBytes() / blockBytes);
    this.dirty = new LruList(Math.max(1, (int) (FULL * blocks)));
    this.highBlocks = (int) (HIGH_WATERMARK * blocks);
    this.lowBlocks = (int) (LOW_WATERMARK * blocks);
    this.cleanedPerStoreSecond = CLEANED_BYTES_PER_SECOND / context.scale() / blockBytes;
  }

  @Override
  public boolean read(int place, Activity activity) {
    return false;
  }

  @Override
  public void readBelow(int place, Activity activity) {
    if (super.read(place, activity)) {
      machine().compute(activity, machine().parameters().ssdIoSeconds());
      return;
    }
    machine().readDisk(activity);
    if (mode != Mode.WRITE_ONLY) {
      insert(place, Source.READ, activity);
    }
  }

  @Override
  public void fetched(int place, Source source, Activity activity) {}

  @Override
  public void freed(int place, Activity activity) {}

  @Override
  public void write(int place, Activity activity) {
    switch (mode) {
      case WRITE_AROUND -> {
        machine().writeDisk(activity);
        if (forget(place)) {
          insert(place, Source.FLUSH, activity);
        }
      }
      case WRITE_THROUGH -> {
        machine().writeDisk(activity);
        forget(place);
        insert(place, Source.FLUSH, activity);
      }
      case WRITE_BACK, WRITE_ONLY -> writeLater(place, activity);
    }
  }

  private void writeLater(int place, Activity activity) {
    dirty.remove(place);
    forget(place);
    if (dirty.isFull()) {
      if (cleaning == Cleaning.WATERMARKS) {
        machine().writeDisk(activity);
        return; // The disk can't keep up: the cache would only be in the way.
      }
      dirty.remove(dirty.oldest());
      writeBack(1, activity);
    }
    if (insert(place, Source.FLUSH, activity) == OfferResult.ADMITTED) {
      dirty.add(place);
    } else {
      machine().writeDisk(activity);
    }
  }

  private OfferResult insert(int place, Source source, Activity activity) {
    departures.offering(place);
    OfferResult result = offer(place, source, activity);
    settleDepartures(activity);
    return result;
  }

  /** Writes what left unwritten. */
  private void settleDepartures(Activity activity) {
    int unwritten = 0;
    while (!departures.isEmpty()) {
      int place = departures.next();
      if (dirty.find(place) != LruList.NONE) {
        dirty.remove(place);
        unwritten++;
      }
    }
    if (unwritten > 0) {
      writeBack(unwritten, activity);
    }
  }

  private void writeBack(int blocks, Activity activity) {
    double bytes = (double) blocks * machine().parameters().blockBytes();
    machine().readNvram(activity, bytes);
    machine().compute(activity, blocks * machine().parameters().ssdIoSeconds());
    activity.pay(machine().simulation().delay(), machine().parameters().ssdLatencySeconds());
    activity.pay(machine().disk().second(), bytes);
  }

  /** Whether the disk has not got a block's last version yet. */
  boolean isUnwritten(int place) {
    return dirty.find(place) != LruList.NONE;
  }

  int unwritten() {
    return dirty.size();
  }

  /** One thread writes back, in long writes. */
  @Override
  public void everySecond(Activity activity) {
    super.everySecond(activity);
    settleDepartures(activity);
    isCleaning = dirty.size() > (isCleaning ? lowBlocks : highBlocks);
    if (cleaning == Cleaning.ON_DEMAND || !isCleaning) {
      credit = 0;
      return;
    }
    credit += cleanedPerStoreSecond;
    int blocks = Math.min((int) credit, dirty.size() - lowBlocks);
    credit -= (int) credit;
    for (int i = 0; i < blocks; i++) {
      dirty.remove(dirty.oldest());
    }
    double bytes = (double) blocks * machine().parameters().blockBytes();
    machine().readNvram(activity, bytes);
    activity.pay(machine().disk().second(), bytes);
  }

  /**
   * Which blocks left a cache, whatever for: its policy knows slots only, so the place that was
   * offered last is kept for the slot it went to.
   */
  private static final class Departures {
    private final IntStack left = new IntStack();
    private int[] places = new int[0];
    private int offered;

    /** A policy that is listened to. */
    EvictionFactory watching(EvictionFactory factory) {
      return context -> {
        places = new int[context.slots()];
        return new Watched(factory.create(context));
      };
    }

    /** The next block to come is this place's. */
    void offering(int place) {
      offered = place;
    }

    boolean isEmpty() {
      return left.isEmpty();
    }

    /** The place of a block that left, each returned once. */
    int next() {
      return left.pop();
    }

    private final class Watched implements EvictionPolicy {
      private final EvictionPolicy policy;

      Watched(EvictionPolicy policy) {
        this.policy = policy;
      }

      @Override
      public void onAdmit(int slot) {
        places[slot] = offered;
        policy.onAdmit(slot);
      }

      @Override
      public void onHit(int slot) {
        policy.onHit(slot);
      }

      @Override
      public void onRemove(int slot) {
        left.push(places[slot]);
        policy.onRemove(slot);
      }

      @Override
      public int victim() {
        return policy.victim();
      }

      @Override
      public int victim(int near) {
        return policy.victim(near);
      }

      @Override
      public int worth(int slot) {
        return policy.worth(slot);
      }

      @Override
      public void sweep(Sweep sweep) {
        policy.sweep(sweep);
      }

      @Override
      public long metadataBytes() {
        return policy.metadataBytes();
      }

      @Override
      public void close() {
        policy.close();
      }
    }
  }
}
