// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletions and renamings, by one rule: a name changes only while nothing of its file is in the
 * log. The file is held and drained, its name changes, the directories are synced. So a recovery
 * finds each file where its records say, never deletes one, and never brings one back.
 */
public final class NameChanges {
  /** A change of names by the file system. */
  @FunctionalInterface
  public interface Change {
    /** Makes the change. */
    void run() throws IOException;
  }

  /** Says which file has a name. */
  @FunctionalInterface
  public interface KeyOfName {
    /** Returns the key of the file; null if there is none. */
    @Nullable Object get() throws IOException;
  }

  private NameChanges() {}

  /**
   * Deletes a file, durably.
   *
   * @param keyOfName of the file; asked while the names are held, for another thread may give the
   *     name to a file before
   */
  public static void delete(LogEngine engine, Path path, KeyOfName keyOfName, Change change)
      throws IOException {
    engine.names().lock();
    try {
      Object key = keyOfName.get();
      LoggedFile file = key == null ? null : engine.find(key);
      List<LoggedFile> held = file == null ? List.of() : List.of(file);
      int names = file == null ? 0 : engine.disk().links(path);
      change(engine, held, change, path, path);
      if (file != null) {
        lostOneOf(names, engine, file);
      }
    } finally {
      engine.names().unlock();
    }
  }

  /**
   * Renames a file or a directory, durably.
   *
   * @param keyOfNewName of the file that lies at the new name, asked while the names are held
   */
  public static void move(
      LogEngine engine, Path from, Path to, KeyOfName keyOfNewName, Change change)
      throws IOException {
    engine.names().lock();
    try {
      Object replaced = keyOfNewName.get();
      List<LoggedFile> held = new ArrayList<>();
      int names = replaced == null || engine.find(replaced) == null ? 0 : engine.disk().links(to);
      for (LoggedFile file : engine.files()) {
        if (file.path().startsWith(from) || file.key().equals(replaced)) {
          held.add(file);
        }
      }
      for (LoggedFile file : held) {
        requireShort(engine, pathAfter(file, from, to));
      }
      lock(held);
      try {
        settle(held);
        change.run();
        for (LoggedFile file : held) {
          Path path = pathAfter(file, from, to);
          if (path != null) {
            renamed(engine, file, path);
          } else {
            leaveUnlessItIsThere(engine, file);
          }
        }
        sync(engine, from, to);
      } finally {
        held.forEach(LoggedFile::unlock);
      }
      for (LoggedFile file : held) {
        if (file.key().equals(replaced)) {
          lostOneOf(names, engine, file);
        }
      }
    } finally {
      engine.names().unlock();
    }
  }

  /** Returns where a file lies after a renaming; null if it is replaced. */
  private static @Nullable Path pathAfter(LoggedFile file, Path from, Path to) {
    Path path = file.path();
    if (path.equals(from)) {
      return to;
    }
    return path.startsWith(from) ? to.resolve(from.relativize(path)) : null;
  }

  /** The log's table has no room for a longer path. */
  private static void requireShort(LogEngine engine, @Nullable Path path) throws IOException {
    if (path != null && engine.settings().rootOf(path) != null) {
      OpenFiles.requireShortPath(path);
    }
  }

  /** Closes a file that no program can open any more, though it was mapped. */
  private static void lostOneOf(int names, LogEngine engine, LoggedFile file) throws IOException {
    if (names <= 1 && file.hasLeft()) {
      file.lostItsLastName();
    }
    engine.openFiles().closeIfIdle(file);
  }

  /**
   * A move to another file system makes another file, and one out of the roots is not logged. A
   * sick file can't be settled: records that are left name its slot, which no other file may get.
   */
  private static void renamed(LogEngine engine, LoggedFile file, Path to) throws IOException {
    Disk.Identity identity = engine.disk().identify(to);
    if (engine.settings().rootOf(to) == null
        || identity == null
        || identity.inode() != file.inode()
        || file.lastSeq() > engine.drainedSeq()) {
      file.leave();
    } else {
      engine.renamed(file, to);
    }
  }

  /** What went may have been another name of the file; by its own a recovery finds it as before. */
  private static void leaveUnlessItIsThere(LogEngine engine, LoggedFile file) throws IOException {
    Disk.Identity there = engine.disk().identify(file.path());
    if (there == null || there.inode() != file.inode()) {
      file.leave();
    }
  }

  private static void change(
      LogEngine engine, List<LoggedFile> held, Change change, Path from, Path to)
      throws IOException {
    lock(held);
    try {
      settle(held);
      change.run();
      for (LoggedFile file : held) {
        leaveUnlessItIsThere(engine, file);
      }
      sync(engine, from, to);
    } finally {
      held.forEach(LoggedFile::unlock);
    }
  }

  /** A thread that holds the names may hold several files; every other thread holds one. */
  private static void lock(List<LoggedFile> files) {
    files.forEach(LoggedFile::lock);
  }

  private static void settle(List<LoggedFile> files) throws IOException {
    files.forEach(LoggedFile::beginSettling); // Each drain may find any of them to be repaired.
    try {
      for (LoggedFile file : files) {
        if (file.sickness() == null) {
          file.settle();
        }
      }
    } finally {
      files.forEach(LoggedFile::endSettling);
    }
  }

  private static void sync(LogEngine engine, Path from, Path to) throws IOException {
    Path before = from.getParent();
    Path after = to.getParent();
    if (after != null) {
      engine.disk().syncDirectory(after);
    }
    if (before != null && !before.equals(after)) {
      engine.disk().syncDirectory(before);
    }
  }
}
