// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.guard.ExceptionText;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.medium.DriveSet;
import java.io.IOException;
import java.util.BitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the blocks of a drive that is lost out of the index, and its regions out of use, and puts
 * the regions back into use when the drive is taken back.
 *
 * <p>Used by one thread at a time, the one that writes regions.
 */
public final class LostRegions {
  private static final Logger LOG = LoggerFactory.getLogger(LostRegions.class);

  private final DriveSet drives;
  private final AppendLog log;
  private final RegionTable table;
  private final Remover remover;
  private final SlotScan slots;
  private final DriveReturn back;

  /** Drives whose regions are out of use. */
  private final BitSet gone = new BitSet();

  /** Begins with what is lost already, whose regions the table has not put into use. */
  public LostRegions(
      DriveSet drives, AppendLog log, Remover remover, SlotScan slots, DriveReturn back) {
    this.drives = drives;
    this.back = back;
    this.log = log;
    this.table = log.table();
    this.remover = remover;
    this.slots = slots;
  }

  /**
   * Does what there is to do now.
   *
   * @return whether regions were taken out of use
   */
  boolean run() {
    if (drives.count() == 1) {
      return false;
    }
    try {
      drives.settle();
    } catch (IOException | RuntimeException e) {
      LOG.debug("the labels do not say yet which drives are lost: {}", ExceptionText.of(e));
      return false;
    }
    boolean any = false;
    for (int drive = 0; drive < drives.count(); drive++) {
      boolean isNew = drives.isLost(drive) && !gone.get(drive);
      // A region that was not flushed when its drive was lost has been tried by now.
      if ((isNew || (gone.get(drive) && hasFlushed(drive))) && empty(drive)) {
        gone.set(drive);
        any = true;
      }
    }
    putBack();
    if (drives.isAskedBack()) {
      askBack();
    }
    return any;
  }

  /** Does what is left to the cache's owner, who need not wait for it in another call. */
  void maintain() {
    back.maintain();
  }

  /** Returns false if the cache was closed before it had ended. */
  private boolean empty(int drive) {
    log.leaveRegion(region -> table.isOn(drive, region));
    BlockIndex.Removal onDrive = (key, location) -> table.isOn(drive, log.region(location));
    boolean all = slots.forEach((slot, key, stripe) -> remover.lose(onDrive, slot, stripe));
    if (all) {
      for (int region = 0; region < table.count(); region++) {
        if (table.isOn(drive, region)) {
          table.lose(region, log.flushedGeneration(region) >= 0);
        }
      }
    }
    return all;
  }

  private boolean hasFlushed(int drive) {
    for (int region = 0; region < table.count(); region++) {
      if (log.flushedGeneration(region) >= 0 && table.isOn(drive, region)) {
        return true;
      }
    }
    return false;
  }

  private void askBack() {
    BitSet unused = new BitSet();
    gone.stream().filter(this::isUnused).forEach(unused::set);
    if (!unused.isEmpty()) {
      back.want(unused);
    }
  }

  /** Puts the regions of drives that serve again into use. */
  private void putBack() {
    for (int drive = gone.nextSetBit(0); drive >= 0; drive = gone.nextSetBit(drive + 1)) {
      if (!drives.isLost(drive)) {
        gone.clear(drive);
        for (int region = 0; region < table.count(); region++) {
          if (table.isOn(drive, region)) {
            table.discarded(region);
          }
        }
      }
    }
  }

  /** Returns whether no region of a drive has a generation: some may be yet to be tried. */
  private boolean isUnused(int drive) {
    for (int region = 0; region < table.count(); region++) {
      if (table.isOn(drive, region) && table.generation(region) >= 0) {
        return false;
      }
    }
    return true;
  }
}
