// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.medium.file.FlashImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of what a {@link ArrayMedium} left on its drives, as {@link FlashImage} shows
 * what one file has. Drives that are missing, or do not count, read as zeros.
 *
 * <p>Thread-safe.
 */
public final class FlashArrayImage implements AutoCloseable {
  private final List<FlashImage> images;

  /** Images by the drive's number; null where no drive counts. */
  private final List<@Nullable FlashImage> counting = new ArrayList<>();

  private final @Nullable ArrayLabel newest;

  private FlashArrayImage(List<FlashImage> images) {
    this.images = images;
    List<@Nullable ArrayLabel> labels = new ArrayList<>();
    for (FlashImage image : images) {
      labels.add(image.fault().isEmpty() ? ArrayLabel.newest(image::read) : null);
    }
    this.newest = ArrayPlan.newest(labels);
    if (newest != null) {
      for (int number = 0; number < newest.members().size(); number++) {
        counting.add(of(newest, number, labels));
      }
    }
  }

  private @Nullable FlashImage of(
      ArrayLabel newestLabel, int number, List<? extends @Nullable ArrayLabel> labels) {
    FlashImage found = null;
    long epoch = -1;
    for (int i = 0; i < labels.size(); i++) {
      ArrayLabel label = labels.get(i);
      if (label != null
          && label.array().equals(newestLabel.array())
          && label.number() == number
          && label.members().size() == newestLabel.members().size()
          && newestLabel.counts(label)
          && label.epoch() > epoch) {
        found = images.get(i);
        epoch = label.epoch();
      }
    }
    return found;
  }

  /**
   * Opens files or block devices.
   *
   * @throws IOException if one of them does not exist, is neither file nor block device, can't be
   *     read, or is open in this process
   */
  public static FlashArrayImage open(List<Path> paths) throws IOException {
    List<FlashImage> images = new ArrayList<>();
    try {
      for (Path path : paths) {
        images.add(FlashImage.open(path));
      }
      return new FlashArrayImage(images);
    } catch (IOException | RuntimeException | Error e) {
      for (FlashImage image : images) {
        image.close();
      }
      throw e;
    }
  }

  /** Returns why the next array on these files finds nothing; empty if it finds something. */
  public String fault() {
    return newest == null ? "they are not the drives of one cache" : "";
  }

  /** Returns the length of all files or devices together, in bytes. */
  public long lengthBytes() throws IOException {
    long sum = 0;
    for (FlashImage image : images) {
      sum += image.lengthBytes();
    }
    return sum;
  }

  /** Returns whether the labels say the same, and the drives that are there allow it. */
  public boolean isDividedLike(long capacityBytes, int regionBytes) throws IOException {
    if (newest == null) {
      return false;
    }
    long units = newest.members().stream().mapToLong(ArrayLabel.Member::units).sum();
    return regionBytes == newest.unitBytes()
        && capacityBytes == ArrayDrive.SUPERBLOCKS_BYTES + units * regionBytes
        && capacityBytes / counting.size() <= lengthBytes(); // Some drives may be missing.
  }

  /** Returns how many drives there are; not all of them count. */
  public int count() {
    return counting.size();
  }

  /** Reads from the superblocks of one drive. */
  public void readOrigin(int number, long offset, ByteBuffer dst, int position, int length)
      throws IOException {
    read(counting.get(number), ArrayDrive.LABELS_BYTES + offset, dst, position, length);
  }

  /** Reads bytes of the medium behind its superblocks. */
  public void read(long offset, ByteBuffer dst, int position, int length) throws IOException {
    if (newest == null) {
      throw new IOException(fault());
    }
    long at = offset - ArrayDrive.SUPERBLOCKS_BYTES;
    for (int number = 0; number < counting.size(); number++) {
      long bytes = (long) newest.members().get(number).units() * newest.unitBytes();
      if (at < bytes) {
        read(counting.get(number), ArrayDrive.UNITS_AT + at, dst, position, length);
        return;
      }
      at -= bytes;
    }
    throw new IOException("there is no byte " + offset);
  }

  private static void read(
      @Nullable FlashImage image, long at, ByteBuffer dst, int position, int length)
      throws IOException {
    if (image == null) {
      dst.duplicate().clear().put(position, new byte[length]);
    } else {
      image.read(at, dst, position, length);
    }
  }

  @Override
  public void close() throws IOException {
    for (FlashImage image : images) {
      image.close();
    }
  }
}
