// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.medium.ForeignFileException;
import io.nvcache.medium.Medium;
import io.nvcache.medium.file.FileHeldException;
import io.nvcache.memory.Claims;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the drives of a {@link ArrayMedium}, and changes nothing on them. Drives that can't be
 * opened are done without if there is an array already that others are of; a new array needs all,
 * so that a path that was misspelt is not taken for a drive that is lost. Files that are in use, or
 * that no cache wrote, are refused in any case.
 */
final class DriveOpening {
  private final List<? extends DriveSource> sources;
  private final int unitBytes;
  private final long hangNanos;
  private final List<@Nullable Medium> opened = new ArrayList<>();
  private final List<@Nullable IOException> failures = new ArrayList<>();

  DriveOpening(List<? extends DriveSource> sources, int unitBytes, long hangNanos) {
    this.sources = sources;
    this.unitBytes = unitBytes;
    this.hangNanos = hangNanos;
  }

  /** Opens all; if it throws, those that were opened are as they were before. */
  ArrayMembers open() throws IOException {
    try {
      for (DriveSource source : sources) {
        open(source);
      }
      return members();
    } catch (IOException | RuntimeException | Error e) {
      for (Medium medium : opened) {
        if (medium != null) {
          afterwards(e, medium, Medium::abandon);
          Claims.closeAfter(e, medium);
        }
      }
      throw e;
    }
  }

  private static void afterwards(Throwable failure, Medium medium, Consumer<Medium> work) {
    try {
      work.accept(medium);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  private void open(DriveSource source) throws IOException {
    try {
      opened.add(source.open());
      failures.add(null);
    } catch (FileHeldException | ForeignFileException e) {
      throw e;
    } catch (IOException e) {
      opened.add(null);
      failures.add(e);
    }
  }

  private ArrayMembers members() throws IOException {
    List<@Nullable ArrayLabel> labels = new ArrayList<>();
    List<Integer> units = new ArrayList<>();
    for (int place = 0; place < sources.size(); place++) {
      Medium medium = opened.get(place);
      labels.add(medium == null ? null : ArrayLabel.newest(medium::read));
      DriveSource source = sources.get(place);
      units.add(units(source, unitBytes));
    }
    ArrayPlan plan = ArrayPlan.of(labels, units, unitBytes);
    for (IOException failure : failures) {
      if (failure != null && plan.newest() == null) {
        throw failure;
      }
    }
    ArrayMembers members = new ArrayMembers(plan.newest(), unitBytes);
    for (int number = 0; number < sources.size(); number++) {
      int place = plan.numbers().indexOf(number);
      ArrayDrive drive =
          new ArrayDrive(sources.get(place), number, units.get(place), hangNanos, members);
      Medium medium = opened.get(place);
      IOException failure = failures.get(place);
      ArrayLabel label = labels.get(place);
      if (medium == null) {
        drive.fail(failure == null ? "" : String.valueOf(failure.getMessage()));
        members.addOther(drive);
      } else {
        drive.opened(medium);
        if (plan.current().get(place) && label != null) {
          members.addCurrent(drive, label);
        } else {
          members.addOther(drive);
        }
      }
    }
    members.settleMissing();
    return members;
  }

  /**
   * Returns how many units a drive has room for.
   *
   * @throws IllegalArgumentException if it is none
   */
  static int units(DriveSource drive, int unitBytes) {
    long units = (drive.capacityBytes() - ArrayDrive.UNITS_AT) / unitBytes;
    if (units < 1 || units > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          drive.name()
              + " has "
              + drive.capacityBytes()
              + " bytes of the cache, which is divided in regions of "
              + unitBytes
              + ": each drive needs room for at least one; give it more, or leave it out");
    }
    return (int) units;
  }
}
