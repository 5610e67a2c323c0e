// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.control.Condition;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the drive of the medium with the drives of the store's files. Whether a cache on the
 * same drive gains something is measured: this only says where to look if it does not.
 */
public final class DriveWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DriveWatch.class);

  private final Medium medium;
  private final Drives drives;
  private final ConditionWatch conditions;
  private volatile boolean said;

  public DriveWatch(Medium medium, ConditionWatch conditions) {
    this(medium, new Drives(), conditions);
  }

  DriveWatch(Medium medium, Drives drives, ConditionWatch conditions) {
    this.medium = medium;
    this.drives = drives;
    this.conditions = conditions;
  }

  /** Notes it, and logs it once, if the directory, or what is there of its path, shares a drive. */
  void addStoreDirectory(Path directory) {
    try {
      Path existing = existing(directory.toAbsolutePath());
      if (existing != null) {
        for (Path place : places()) {
          compare(directory, existing, place);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Can't tell whether {} is on the drive of the medium", directory, e);
    }
  }

  private List<Path> places() {
    List<Path> several = medium.drives().paths();
    return several.isEmpty() ? medium.path().stream().toList() : several;
  }

  private void compare(Path directory, Path existing, Path place) throws IOException {
    if (Files.exists(place)) {
      Set<String> shared = new HashSet<>(drives.of(place));
      shared.retainAll(drives.of(existing));
      if (!shared.isEmpty()) {
        String words =
            "the store's files in "
                + directory
                + " lie on the drive of the medium, "
                + place
                + " (device "
                + String.join(", ", shared)
                + ")";
        conditions.noteSharedDrive(words);
        if (!said) {
          said = true;
          LOG.warn("{}: {} will say if hits are no faster than reads", words, Condition.NO_GAIN);
        }
      }
    }
  }

  private static @Nullable Path existing(Path path) {
    Path existing = path;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }
}
