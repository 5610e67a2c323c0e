// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.regions.Superblock.Revoked;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that must not be restored, up to which generation: as many as find room in a
 * superblock, and a floor, below which no region must be restored at all.
 *
 * <p>Used by one thread at a time.
 */
final class RevokedFiles {
  private final Map<FileIdentity, Long> generations = new HashMap<>();
  private long floor;

  /** Begins with an earlier cache's, if there is one. */
  RevokedFiles(@Nullable Superblock previous) {
    if (previous != null) {
      generations.putAll(previous.revokedGenerations());
      floor = previous.floor();
    }
  }

  /** Adds a file; all files, if it finds no memory. The oldest are replaced by a higher floor. */
  void add(FileIdentity file, long upTo) {
    try {
      generations.put(file, upTo);
      if (generations.size() > Superblock.MAX_REVOKED) {
        addAll(Collections.min(generations.values()));
      }
    } catch (OutOfMemoryError noRoom) {
      addAll(upTo);
    }
  }

  /** Adds all files. Takes no memory. */
  void addAll(long upTo) {
    floor = Math.max(floor, upTo + 1);
    if (!generations.isEmpty()) {
      removeBelow(floor);
    }
  }

  /** Extends what was valid up to one generation to a later one. */
  void extend(long from, long to) {
    generations.replaceAll((file, upTo) -> upTo == from ? Math.max(from, to) : upTo);
    floor = floor == from + 1 ? Math.max(floor, to + 1) : floor;
  }

  /** Gives up what concerns only regions that are older than any that may be found. */
  void removeBelow(long lowest) {
    generations.values().removeIf(upTo -> upTo < lowest);
  }

  /** Returns the lowest generation of regions that may be restored. */
  long floor() {
    return floor;
  }

  /** Returns the files above the floor. */
  List<Revoked> list() {
    return generations.entrySet().stream()
        .map(file -> new Revoked(file.getKey(), file.getValue()))
        .toList();
  }
}
