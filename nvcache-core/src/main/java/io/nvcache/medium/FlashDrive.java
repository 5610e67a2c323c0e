// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One of several files or block devices that a cache on flash lies on.
 *
 * @param path of the file or device
 * @param capacityBytes that the cache may use of it
 */
public record FlashDrive(Path path, long capacityBytes) {
  /**
   * Checks the capacity.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public FlashDrive {
    Objects.requireNonNull(path, "path");
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "capacityBytes of " + path + " is " + capacityBytes + "; it must be at least 1");
    }
  }

  /**
   * Returns drives that share a capacity evenly.
   *
   * @throws IllegalArgumentException if there is no path, or less than a byte for each
   */
  public static List<FlashDrive> sharing(List<Path> paths, long capacityBytes) {
    if (Objects.requireNonNull(paths, "paths").isEmpty()) {
      throw new IllegalArgumentException("there is no path; name at least one");
    }
    List<FlashDrive> drives = new ArrayList<>();
    for (Path path : paths) {
      drives.add(new FlashDrive(path, capacityBytes / paths.size()));
    }
    return List.copyOf(drives);
  }
}
