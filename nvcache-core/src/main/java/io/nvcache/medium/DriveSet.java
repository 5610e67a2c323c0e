// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.control.DriveHealth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The drives that a {@link Medium} lies on, each of which may be lost without the others. The
 * defaults say what is so of a medium that is lost as a whole.
 *
 * <p>All methods may be called by many threads at once, except for {@link #distrust}, which belongs
 * before the first write.
 */
public interface DriveSet {
  /** The drive of a medium that can't be lost in parts. */
  DriveSet ONE = new DriveSet() {};

  /** Returns how many drives there are, lost ones included. */
  default int count() {
    return 1;
  }

  /** Returns the drive that a byte of the medium lies on. */
  default int driveOf(long offset) {
    return 0;
  }

  /** Returns whether a range of blocks' bytes lies on one drive, and that drive serves. */
  default boolean serve(long offset, int length) {
    return true;
  }

  /**
   * Returns whether a drive is lost for certain: the others know it, and no cache will ever find
   * what is on it now.
   */
  default boolean isLost(int drive) {
    return false;
  }

  /** Returns how many reads and writes are inside a drive. */
  default int queueDepth(int drive) {
    return 0;
  }

  /** Returns all drives in the order of their numbers; none if there are no several. */
  default List<DriveHealth> list() {
    return List.of();
  }

  /** Returns the files or devices that drives are; none if {@link Medium#path} is the only one. */
  default List<Path> paths() {
    return List.of();
  }

  /** Returns the bytes of the medium's capacity that lie on drives that are lost. */
  default long lostBytes() {
    return 0;
  }

  /**
   * Has the drives that serve know which are lost, if any was lost since.
   *
   * @throws IOException if none of them can be written
   */
  default void settle() throws IOException {}

  /** Has lost drives be taken back as soon as nothing on them is in use. */
  default void askBack() {}

  /** Returns whether {@link #askBack} was called since this was last asked. */
  default boolean isAskedBack() {
    return false;
  }

  /**
   * Opens a drive again that is lost; it then serves, empty. Nothing on it may be in use. Takes as
   * long as opening it, which may fill a file; all other calls continue meanwhile, except those
   * that end the medium.
   *
   * @return whether it serves now
   */
  default boolean takeBack(int drive) {
    return false;
  }

  /** Returns how many calls have not come back from drives that are lost. */
  default int callsInLost() {
    return 0;
  }

  /**
   * Looks for calls that do not end, and for drives that have become slow; to be called about once
   * a second by one thread at a time. Asks no drive.
   *
   * @param mostLooks after so many looks without progress a call counts as hanging
   */
  default void look(int mostLooks) {}

  /**
   * Returns how many drives have superblocks that may count; 0 if {@link Medium#read} reads the
   * only ones.
   */
  default int origins() {
    return 0;
  }

  /** Reads from the superblocks of one of these drives, as {@link Medium#read} does. */
  default void readOrigin(int origin, long offset, ByteBuffer dst, int position, int length)
      throws IOException {
    throw new IOException("there is no drive " + origin);
  }

  /**
   * Says that one of these drives is behind the others, or damaged: nothing on it counts, and it
   * will be emptied before the first write.
   */
  default void distrust(int origin) {}
}
