// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.recovery;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.Disk.Identity;
import io.nvcache.writelog.format.FileTable.Entry;
import io.nvcache.writelog.log.LogSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of the log's table after a crash, by what they are: a number of an inode, and a
 * time of birth. A path only says where to look first.
 *
 * <p>Where the file system tells no time of birth, the number alone may be another file's by now,
 * and only the file that also has the name is taken for the one of the table.
 */
final class FileSearch {
  /** Where a file lies. */
  record Place(Path path, Identity identity) {}

  private static final int ALL_LEVELS = Integer.MAX_VALUE;

  private final Disk disk;
  private final LogSettings settings;

  /** What was found of each inode; of several names of one file the first. */
  private final Map<Long, List<Place>> found = new HashMap<>();

  private boolean all;

  FileSearch(Disk disk, LogSettings settings) {
    this.disk = disk;
    this.settings = settings;
  }

  /** Returns the file if it still has its name. */
  @Nullable Place atItsName(Entry entry, Path path) throws IOException {
    Identity there = disk.identify(path);
    boolean isIt =
        there != null
            && there.inode() == entry.identity().inode()
            && (isBorn(there, entry) || !tellsBirth(there, entry));
    return isIt && there != null ? new Place(path, there) : null;
  }

  /** Looks for files that lack their names: where each was, and then in all roots. */
  void run(Map<Entry, Path> missing) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    for (Path path : missing.values()) {
      Path directory = path.getParent();
      if (directory != null && disk.device(directory) != null) {
        directories.add(directory);
      }
    }
    search(directories, 1, inodesOf(missing));
    Map<Entry, Path> others = new HashMap<>(missing);
    others.keySet().removeIf(entry -> place(entry) != null);
    if (!others.isEmpty()) {
      found.clear();
      all = search(new LinkedHashSet<>(settings.roots()), ALL_LEVELS, inodesOf(missing));
    }
  }

  private static Set<Long> inodesOf(Map<Entry, Path> entries) {
    Set<Long> inodes = new LinkedHashSet<>();
    entries.keySet().forEach(entry -> inodes.add(entry.identity().inode()));
    return inodes;
  }

  private boolean search(Set<Path> directories, int depth, Set<Long> inodes) throws IOException {
    boolean complete = true;
    for (Path directory : directories) {
      complete &=
          disk.device(directory) != null
              && disk.search(
                  directory,
                  depth,
                  inodes,
                  (path, identity) ->
                      found
                          .computeIfAbsent(identity.inode(), inode -> new ArrayList<>())
                          .add(new Place(path, identity)));
    }
    return complete;
  }

  /** Returns where a file lies that lacks its name; null if it is nowhere in the roots. */
  @Nullable Place place(Entry entry) {
    Place place = null;
    for (Place one : found.getOrDefault(entry.identity().inode(), List.of())) {
      if (isBorn(one.identity(), entry) && settings.rootOf(one.path()) != null) {
        if (place != null && place.identity().device() != one.identity().device()) {
          return null; // A file system and its copy: nothing says which one is meant.
        }
        place = place == null ? one : place;
      }
    }
    return place;
  }

  /**
   * Returns whether a file that lacks its name has none any more: no file of its inode is in the
   * roots, and it was on the file system that lies there now.
   */
  boolean isGone(Entry entry, Path path) throws IOException {
    Long device = null;
    for (Path directory : settings.directoriesOf(path)) {
      device = device == null ? disk.device(directory) : device;
    }
    boolean mayBeThere = false;
    for (Place one : found.getOrDefault(entry.identity().inode(), List.of())) {
      mayBeThere |= isBorn(one.identity(), entry) || !tellsBirth(one.identity(), entry);
    }
    return all && !mayBeThere && device != null && device == entry.identity().device();
  }

  private static boolean tellsBirth(Identity there, Entry entry) {
    return there.birth() != Disk.NO_BIRTH && entry.identity().birth() != Disk.NO_BIRTH;
  }

  private static boolean isBorn(Identity there, Entry entry) {
    return tellsBirth(there, entry) && there.birth() == entry.identity().birth();
  }
}
