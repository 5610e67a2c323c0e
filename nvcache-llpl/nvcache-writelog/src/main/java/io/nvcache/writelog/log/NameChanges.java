// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
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
   * A change that one thread makes: the names are held, and the files that it concerns, which are
   * drained. {@link #changed} says that it was made; {@link #close} must follow in any case.
   */
  public static final class Held implements AutoCloseable {
    private final LogEngine engine;
    private final Path from;
    private final @Nullable Path to;
    private final List<LoggedFile> files;
    private final @Nullable LoggedFile unnamed;
    private final int names;
    private boolean changed;

    private Held(
        LogEngine engine,
        Path from,
        @Nullable Path to,
        List<LoggedFile> files,
        @Nullable LoggedFile unnamed,
        int names) {
      this.engine = engine;
      this.from = from;
      this.to = to;
      this.files = files;
      this.unnamed = unnamed;
      this.names = names;
    }

    /** The file system has made the change. */
    public void changed() {
      changed = true;
    }

    /** Has the log know the new names, which are durable then, and lets other threads continue. */
    @Override
    public void close() throws IOException {
      try {
        try {
          if (changed) {
            settleNames();
          }
        } finally {
          files.forEach(LoggedFile::unlock);
        }
        if (changed && unnamed != null) {
          lostOneOf(names, engine, unnamed);
        }
      } finally {
        engine.names().unlock();
      }
    }

    private void settleNames() throws IOException {
      for (LoggedFile file : files) {
        Path path = to == null ? null : pathAfter(file, from, to);
        if (path != null) {
          renamed(engine, file, path);
        } else {
          leaveUnlessItIsThere(names, file);
        }
      }
      sync(engine, from, to == null ? from : to);
    }
  }

  /**
   * Deletes a file, durably.
   *
   * @param keyOfName of the file; asked while the names are held, for another thread may give the
   *     name to a file before
   */
  public static void delete(LogEngine engine, Path path, KeyOfName keyOfName, Change change)
      throws IOException {
    try (Held held = beforeDelete(engine, path, keyOfName)) {
      change.run();
      held.changed();
    }
  }

  /** Begins a deletion, as {@link #delete}. The same thread must end it. */
  public static Held beforeDelete(LogEngine engine, Path path, KeyOfName keyOfName)
      throws IOException {
    engine.names().lock();
    try {
      Object key = keyOfName.get();
      LoggedFile file = key == null ? null : engine.find(key);
      int names = file == null ? 0 : engine.disk().links(path);
      List<LoggedFile> files = file == null ? List.of() : List.of(file);
      hold(files);
      return new Held(engine, path, null, files, file, names);
    } catch (IOException | RuntimeException | Error e) {
      engine.names().unlock();
      throw e;
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
    try (Held held = beforeMove(engine, from, to, keyOfNewName)) {
      change.run();
      held.changed();
    }
  }

  /** Begins a renaming, as {@link #move}. The same thread must end it. */
  public static Held beforeMove(LogEngine engine, Path from, Path to, KeyOfName keyOfNewName)
      throws IOException {
    engine.names().lock();
    try {
      Object replaced = keyOfNewName.get();
      LoggedFile unnamed = replaced == null ? null : engine.find(replaced);
      int names = unnamed == null ? 0 : engine.disk().links(to);
      List<LoggedFile> files = engine.filesAt(from, unnamed);
      for (LoggedFile file : files) {
        requireShort(engine, pathAfter(file, from, to));
      }
      hold(files);
      return new Held(engine, from, to, files, unnamed, names);
    } catch (IOException | RuntimeException | Error e) {
      engine.names().unlock();
      throw e;
    }
  }

  /**
   * Holds and drains files. A thread that holds the names may hold several, any other holds one.
   */
  private static void hold(List<LoggedFile> files) throws IOException {
    files.forEach(LoggedFile::lock);
    try {
      settle(files);
    } catch (IOException | RuntimeException | Error e) {
      files.forEach(LoggedFile::unlock);
      throw e;
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
      file.uses().lostItsLastName();
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
        || !file.identity().isSameFile(identity)
        || file.lastSeq() > engine.drainedSeq()) {
      file.leave();
    } else {
      engine.openFiles().renamed(file, to);
    }
  }

  /** Has a file leave the log that has lost the last name by which a recovery finds it. */
  private static void leaveUnlessItIsThere(int names, LoggedFile file) throws IOException {
    if (!file.isFoundByOtherNames(names) && !file.isAtItsName()) {
      file.leave();
    }
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
