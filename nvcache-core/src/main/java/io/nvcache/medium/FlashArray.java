// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.medium.drives.ArrayMedium;
import io.nvcache.medium.drives.DriveSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Opens several files or block devices on flash, of any lengths and speeds, as one medium. Each is
 * a {@link FlashMedium} with its own regions. A drive that fails, vanishes, fills up or does not
 * answer takes the blocks that are on it, and nothing else: the others continue. It returns, empty,
 * when the cache is built again, or by {@link io.nvcache.control.CacheControl#returnToService}.
 *
 * <p>Blocks are placed in regions; other placements, and encryption without a {@link KeySource},
 * have no use for it.
 *
 * <p><b>Restart.</b> Each drive knows of which array it is, which of its drives, and since when. So
 * the paths may be given in another order, and drives may be moved: what is on them is found. One
 * that is missing leaves the others' blocks. One that was missing before, or that is a copy made
 * before the last start, begins empty: it may hold blocks that were invalidated since. With other
 * lengths, or another number of paths, all begin empty.
 *
 * <p>All drives have the superblocks, and are flushed when one of them is written: once for each
 * region that is filled, and for each block that is invalidated by itself.
 */
public final class FlashArray {
  /** Less than the time after which a call counts as stuck in the cache. */
  private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private FlashArray() {}

  /**
   * Opens the files or devices; see {@link FlashMedium#create(Path, long, CloseAction,
   * ForeignFile)}.
   *
   * @param regionBytes the length of the regions that blocks are placed in, a power of two. What a
   *     drive has beyond whole ones is not used
   * @param foreign by path, what becomes of a file that no cache is known to have written
   * @throws IllegalArgumentException if a path comes twice, or has no room for a region
   * @throws IOException if a drive can't be opened, and none of the others is of an array that can
   *     do without it; or if one is in use, or not a cache's. Files that were created are then gone
   *     again
   */
  public static Medium create(
      List<FlashDrive> drives,
      int regionBytes,
      CloseAction atClose,
      Function<Path, ForeignFile> foreign)
      throws IOException {
    Set<Path> paths = new HashSet<>();
    List<Source> sources = new ArrayList<>();
    for (FlashDrive drive : drives) {
      if (!paths.add(drive.path().toAbsolutePath().normalize())) {
        throw new IllegalArgumentException(
            drive.path() + " is named twice; name each file or device of the cache once");
      }
      sources.add(new Source(drive, atClose, foreign.apply(drive.path())));
    }
    return ArrayMedium.over(sources, regionBytes, HANG_NANOS);
  }

  /**
   * Returns the capacity of an array.
   *
   * @throws IllegalArgumentException if a drive has no room for a region
   */
  public static long capacityBytes(List<FlashDrive> drives, int regionBytes) {
    List<Source> sources = new ArrayList<>();
    for (FlashDrive drive : drives) {
      sources.add(new Source(drive, CloseAction.KEEP, ForeignFile.REFUSED));
    }
    return ArrayMedium.capacityBytes(sources, regionBytes);
  }

  /** A file or a device, as {@link FlashMedium} opens it. */
  private record Source(FlashDrive drive, CloseAction atClose, ForeignFile foreign)
      implements DriveSource {
    @Override
    public Medium open() throws IOException {
      return FlashMedium.create(drive.path(), drive.capacityBytes(), atClose, foreign);
    }

    @Override
    public String name() {
      return drive.path().toString();
    }

    @Override
    public Optional<Path> path() {
      return Optional.of(drive.path());
    }

    @Override
    public long capacityBytes() {
      return drive.capacityBytes();
    }
  }
}
