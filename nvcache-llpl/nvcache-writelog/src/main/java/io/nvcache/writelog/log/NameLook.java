// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.Disk.Names;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Learns of names that were changed past the log, by {@code java.io} or another program: it looks
 * whether they still lead to their files.
 *
 * <ul>
 *   <li>Before a force is absorbed, at files that got their first record since the last drain, as a
 *       journal does: a program that deletes or renames one and then makes something durable takes
 *       the first for done. Of other files the next drain makes that durable.
 *   <li>Before a directory is forced, at all that have records: the log is drained if one has
 *       another name or none, so that no record is left whose file the program has changed.
 *   <li>After a round of the drain, at the files that it brought to the disk; and now and then at
 *       those that are kept for a mapping.
 * </ul>
 *
 * <p>A file that is found elsewhere continues by its new name; one without a name leaves the log.
 */
final class NameLook {
  /**
   * A file that is new to the log.
   *
   * @param before the number of the last record before its first
   */
  private record Young(LoggedFile file, long before) {}

  private final LogEngine engine;

  /** Files that are new to the log; few, because each drain ends them. */
  private final List<Young> young = new CopyOnWriteArrayList<>();

  NameLook(LogEngine engine) {
    this.engine = engine;
  }

  /** A file is about to get its first record, since it was opened or drained and closed. */
  void entering(LoggedFile file) {
    young.add(new Young(file, engine.lastSeq()));
  }

  /** Before the log takes a force for done. The caller holds nothing. */
  void beforeForce() throws IOException {
    if (!young.isEmpty()) {
      settle(lost(young.stream().map(Young::file).toList()));
    }
  }

  /** Before the names in a directory are made durable. The caller holds nothing. */
  void beforeDirectoryForce() throws IOException {
    List<LoggedFile> pending = new ArrayList<>();
    for (LoggedFile file : engine.files()) {
      if (file.lastSeq() > engine.drainedSeq()) {
        pending.add(file);
      }
    }
    settle(lost(pending));
  }

  private void settle(List<LoggedFile> lost) throws IOException {
    if (lost.isEmpty()) {
      return;
    }
    engine.drainTo(engine.lastSeq());
    engine.names().lock();
    try {
      follow(lost);
    } finally {
      engine.names().unlock();
    }
  }

  /**
   * After a round of the drain, by its thread, at files whose names may be held for now.
   *
   * @param drained files that it brought to the disk
   */
  void afterRound(Collection<LoggedFile> drained) throws IOException {
    Set<LoggedFile> all = new LinkedHashSet<>(drained);
    young.forEach(one -> all.add(one.file())); // Whose names were held when a round came by.
    if (followSoon(lost(all)) && !young.isEmpty()) {
      young.removeIf(one -> one.before() < engine.drainedSeq());
    }
  }

  /** Looks at the files that are kept for a mapping: which of them no program can open again. */
  void lookAtKept() throws IOException {
    boolean unused =
        followSoon(lost(engine.files().stream().filter(file -> file.uses().isKeptOnly()).toList()));
  }

  /** Returns whether nothing is left to follow. */
  private boolean followSoon(List<LoggedFile> lost) throws IOException {
    if (lost.isEmpty()) {
      return true;
    }
    if (!engine.names().tryLock()) {
      return false;
    }
    try {
      follow(lost);
    } finally {
      engine.names().unlock();
    }
    return true;
  }

  private List<LoggedFile> lost(Collection<LoggedFile> files) throws IOException {
    List<LoggedFile> lost = new ArrayList<>();
    for (LoggedFile file : files) {
      if (!file.hasLeft() || file.uses().isKeptOnly()) {
        if (!file.isAtItsName()) {
          lost.add(file);
        }
      }
    }
    return lost;
  }

  /** Has files continue by their new names. The caller holds the names. */
  private void follow(List<LoggedFile> lost) throws IOException {
    Set<Long> inodes = new HashSet<>();
    lost.forEach(file -> inodes.add(file.identity().inode()));
    Map<Long, Names> names = engine.disk().openNames(lost.get(0).path(), inodes);
    Map<LoggedFile, Names> found = new LinkedHashMap<>();
    Set<Path> directories = new LinkedHashSet<>(); // Many files may have gone from one.
    for (LoggedFile file : lost) {
      Names now = names.get(file.identity().inode());
      add(directories, file.path());
      if (now != null && file.identity().isSameFile(now.identity())) {
        add(directories, now.path());
        found.put(file, now);
      }
    }
    for (Path directory : directories) {
      sync(directory);
    }
    for (LoggedFile file : lost) {
      Names now = found.get(file);
      if (now != null) {
        follow(file, now);
      } else if (!file.isOpenToWrite()) { // The log has no descriptor of it that would tell more.
        file.uses().lostItsLastName();
        engine.openFiles().closeIfIdle(file);
      }
    }
  }

  private void follow(LoggedFile file, Names now) throws IOException {
    Path path = now.path();
    boolean isInRoot = path != null && engine.settings().rootOf(path) != null;
    if (now.count() == 0) {
      file.uses().lostItsLastName();
    }
    if (file.isHeld() || !file.tryLock()) {
      return; // A later round comes by.
    }
    try {
      if (path != null && isInRoot) {
        file.renamedOutside(path);
      } else if ((path != null || now.count() == 0) && file.lastSeq() <= engine.drainedSeq()) {
        file.leave();
      }
    } finally {
      file.unlock();
    }
    engine.openFiles().closeIfIdle(file);
  }

  private void add(Set<Path> directories, @Nullable Path path) {
    Path directory = path == null ? null : path.getParent();
    if (path != null && directory != null && engine.settings().rootOf(path) != null) {
      directories.add(directory);
    }
  }

  /** What a program did with names is durable where the log makes its next promise. */
  private void sync(Path directory) throws IOException {
    try {
      engine.disk().syncDirectory(directory);
    } catch (NoSuchFileException e) {
      // It was deleted or renamed itself.
    }
  }
}
