// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.control.DriveHealth;
import io.nvcache.medium.DriveSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The drives of a {@link ArrayMedium}, as the engine and operators see them. */
final class ArrayDrives implements DriveSet {
  /** Looks, once a second, over which a drive's speed is judged. */
  private static final int SLOW_LOOKS = 8;

  /** Slower than any store that a cache is put in front of. */
  private static final double SLOW_SECONDS = 0.1;

  /** So much slower than the fastest of the others. */
  private static final int SLOWER = 10;

  private final ArrayMedium array;
  private final ArrayMembers members;
  private final AtomicBoolean askedBack = new AtomicBoolean();

  // Of the thread that looks, by drive.
  private final long[] endedBefore;
  private final double[] insideMean;
  private final double[] endedMean;
  private final int[] slowLooks;

  ArrayDrives(ArrayMedium array, ArrayMembers members) {
    this.array = array;
    this.members = members;
    int count = members.drives().size();
    this.endedBefore = new long[count];
    this.insideMean = new double[count];
    this.endedMean = new double[count];
    this.slowLooks = new int[count];
  }

  private List<ArrayDrive> drives() {
    return members.drives();
  }

  @Override
  public int count() {
    return drives().size();
  }

  @Override
  public int driveOf(long offset) {
    return array.drive(offset).number;
  }

  @Override
  public boolean serve(long offset, int length) {
    if (offset < ArrayDrive.SUPERBLOCKS_BYTES) {
      return false; // All drives have these.
    }
    ArrayDrive first = array.drive(offset);
    return !first.hasFailed() && first == array.drive(offset + length - 1);
  }

  @Override
  public boolean isLost(int drive) {
    return members.isLost(drive);
  }

  @Override
  public int queueDepth(int drive) {
    return drives().get(drive).calls.inside();
  }

  @Override
  public List<DriveHealth> list() {
    return drives().stream()
        .map(
            drive ->
                new DriveHealth(
                    drive.source.name(), bytes(drive), drive.hasFailed() ? drive.reason() : ""))
        .toList();
  }

  @Override
  public List<Path> paths() {
    return drives().stream().flatMap(drive -> drive.source.path().stream()).toList();
  }

  private long bytes(ArrayDrive drive) {
    return (long) drive.units * array.regionBytes();
  }

  @Override
  public long lostBytes() {
    return drives().stream().filter(ArrayDrive::hasFailed).mapToLong(this::bytes).sum();
  }

  @Override
  public void settle() throws IOException {
    members.settle();
  }

  @Override
  public void askBack() {
    askedBack.set(true);
  }

  @Override
  public boolean isAskedBack() {
    return askedBack.get() && askedBack.getAndSet(false);
  }

  @Override
  public boolean takeBack(int drive) {
    return members.takeBack(drive);
  }

  @Override
  public int callsInLost() {
    return drives().stream()
        .filter(drive -> drive.hasFailed() && !drive.isReturning())
        .mapToInt(drive -> drive.calls.inside())
        .sum();
  }

  @Override
  public void look(int mostLooks) {
    for (ArrayDrive drive : drives()) {
      int looks = drive.calls.looksWithoutEnd();
      if (looks >= mostLooks && !drive.hasFailed()) {
        members.lose(drive, "reads have not ended for " + looks + " s");
      }
      average(drive);
    }
    for (ArrayDrive drive : drives()) {
      boolean isSlow = !drive.hasFailed() && isSlow(drive);
      slowLooks[drive.number] = isSlow ? slowLooks[drive.number] + 1 : 0;
      if (slowLooks[drive.number] >= SLOW_LOOKS) {
        members.lose(
            drive,
            "reads take "
                + Math.round(1000 * seconds(drive))
                + " ms, "
                + SLOWER
                + " times as long as on another drive");
      }
    }
  }

  private void average(ArrayDrive drive) {
    int i = drive.number;
    long ended = drive.calls.ended();
    insideMean[i] += (drive.calls.inside() - insideMean[i]) / SLOW_LOOKS;
    endedMean[i] += (ended - endedBefore[i] - endedMean[i]) / SLOW_LOOKS;
    endedBefore[i] = ended;
  }

  /** Returns how long a call is inside, by Little's law; 0 if there are too few to tell. */
  private double seconds(ArrayDrive drive) {
    double ended = endedMean[drive.number];
    return ended < 1 ? 0 : insideMean[drive.number] / ended;
  }

  private boolean isSlow(ArrayDrive drive) {
    double seconds = seconds(drive);
    return seconds > SLOW_SECONDS
        && drives().stream()
            .anyMatch(
                other ->
                    other != drive
                        && !other.hasFailed()
                        && endedMean[other.number] >= 1
                        && seconds(other) * SLOWER < seconds);
  }

  @Override
  public int origins() {
    return members.origins().size();
  }

  @Override
  public void readOrigin(int origin, long offset, ByteBuffer dst, int position, int length)
      throws IOException {
    members.origins().get(origin).readRaw(ArrayDrive.LABELS_BYTES + offset, dst, position, length);
  }

  @Override
  public void distrust(int origin) {
    members.distrust(origin);
  }
}
