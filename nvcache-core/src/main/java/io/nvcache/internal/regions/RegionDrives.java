// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.medium.DriveSet;

/** The drives that regions lie on, each region on one. */
final class RegionDrives {
  private final DriveSet drives;
  private final int regionBytes;

  RegionDrives(DriveSet drives, int regionBytes) {
    this.drives = drives;
    this.regionBytes = regionBytes;
  }

  /** Returns whether there are several. */
  boolean areSeveral() {
    return drives.count() > 1;
  }

  /** Returns the drive of a region. */
  int of(int region) {
    return drives.driveOf(RegionLayout.regionOffset(region, regionBytes));
  }

  /** Returns whether the drive of a region is lost. */
  boolean areLostAt(int region) {
    return areSeveral() && drives.isLost(of(region));
  }

  /**
   * Returns the drive on which the next region is to be filled: the one that has the largest part
   * of its regions free, and the fewest calls inside.
   *
   * @param free by drive, how many regions are free
   * @param all by drive, how many there are
   */
  int choose(int[] free, int[] all) {
    int best = 0;
    double most = -1;
    for (int drive = 0; drive < free.length; drive++) {
      double worth = (double) free[drive] / all[drive] / (1 + drives.queueDepth(drive));
      if (free[drive] > 0 && worth > most) {
        most = worth;
        best = drive;
      }
    }
    return best;
  }

  int count() {
    return drives.count();
  }
}
