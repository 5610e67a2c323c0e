// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.Disk.Identity;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.FileTable.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The files that are open or not drained, by their keys, and their places in the log's table.
 *
 * <p>Thread-safe, where callers hold the names as each method says.
 */
final class OpenFiles {
  private final LogEngine engine;
  private final FileTable table;
  private final ReentrantLock names = new ReentrantLock();
  private final Map<Object, LoggedFile> files = new ConcurrentHashMap<>();

  /** Guards itself and the generation. */
  private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();

  private long generation;

  OpenFiles(LogEngine engine, FileTable table) {
    this.engine = engine;
    this.table = table;
    for (int slot = 0; slot < engine.layout().fileSlots(); slot++) {
      freeSlots.add(slot);
    }
  }

  FileTable table() {
    return table;
  }

  ReentrantLock names() {
    return names;
  }

  Collection<LoggedFile> all() {
    return files.values();
  }

  /** Returns how many more files can be written at a time. */
  int freeSlots() {
    synchronized (freeSlots) {
      return freeSlots.size();
    }
  }

  /** Returns how many slots a drain would make free, about. */
  int drainableSlots() {
    int count = 0;
    for (LoggedFile file : files.values()) {
      count += file.uses().isLeftOpen() ? 1 : 0;
    }
    return count;
  }

  @Nullable LoggedFile find(Object key) {
    return files.get(key);
  }

  /** Returns the files that lie at a path or below, and another one. The caller holds the names. */
  List<LoggedFile> at(Path path, @Nullable LoggedFile other) throws IOException {
    List<LoggedFile> found = new ArrayList<>();
    for (LoggedFile file : files.values()) {
      if (file == other || (file.path().startsWith(path) && file.isAtItsName())) {
        found.add(file);
      }
    }
    return found;
  }

  /** Opens a file for logged writes. The caller holds the names. */
  LoggedFile open(Path path, Object key, boolean created) throws IOException {
    requireShortPath(path);
    LoggedFile file = known(path, key, created);
    file.uses().retain();
    try {
      file.openToWrite();
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.uses().release();
      throw e;
    }
  }

  /** Opens a file for reading what the log holds of it. The caller holds the names. */
  LoggedFile openToRead(Path path, Object key) throws IOException {
    LoggedFile file = known(path, key, false);
    file.uses().retain();
    return file;
  }

  /** Opens a file whose changes go past the log from now on. The caller holds the names. */
  LoggedFile openOutside(Path path, Object key) throws IOException {
    LoggedFile file = known(path, key, false);
    file.uses().retain();
    try {
      file.openToWrite(); // No other file gets its key meanwhile.
      file.settleAndLeave();
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.uses().release();
      throw e;
    }
  }

  private LoggedFile known(Path path, Object key, boolean created) throws IOException {
    LoggedFile file = files.get(key);
    if (file == null || isOfAnotherFile(file, path)) {
      Identity identity = engine.disk().identify(path);
      if (identity == null) {
        throw new NoSuchFileException(path.toString());
      }
      file = new LoggedFile(engine, path, key, identity, created);
      files.put(key, file);
    } else if (!file.path().equals(path) && !file.isAtItsName() && file.tryLock()) {
      try {
        file.renamedOutside(path);
      } finally {
        file.unlock();
      }
    }
    return file;
  }

  /**
   * Returns whether a key has passed to another file. The system gives the number of a deleted file
   * to the next one, unless somebody holds the deleted one open, and the log does so only with
   * files that were opened for writing.
   */
  private boolean isOfAnotherFile(LoggedFile file, Path path) throws IOException {
    if (file.isOpenToWrite()) {
      return false;
    }
    if (file.hasLeft()) {
      return true;
    }
    Identity there = engine.disk().identify(path);
    if (!file.identity().isSameFile(there)) {
      return true;
    }
    // Without times of birth, a name that went with the number tells.
    boolean tells = there != null && there.birth() != Disk.NO_BIRTH;
    return !tells && !file.path().equals(path) && !file.isAtItsName();
  }

  static void requireShortPath(Path path) throws IOException {
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > FileTable.MAX_PATH_BYTES) {
      throw new IOException(
          "can't log writes of "
              + path
              + ": its path has "
              + bytes
              + " bytes, and at most "
              + FileTable.MAX_PATH_BYTES
              + " are possible; move it nearer to the root, or take its directory out of the"
              + " roots");
    }
  }

  /**
   * Gives a file an id that the table holds durably. The caller holds the file.
   *
   * @return whether a slot was free; if none was, a drain makes some free
   * @throws IOException if all slots are of open files, so that no drain would help
   */
  boolean enter(LoggedFile file) throws IOException {
    requireShortPath(file.path());
    long id;
    int left;
    synchronized (freeSlots) {
      Integer slot = freeSlots.poll();
      if (slot == null) {
        if (drainableSlots() > 0) {
          return false;
        }
        throw new IOException(
            "can't log writes of "
                + file.path()
                + ": all "
                + engine.layout().fileSlots()
                + " file slots of the log are in use; open fewer files at a time, or make a log"
                + " with more fileSlots");
      }
      id = FileTable.idOf(slot, ++generation);
      left = freeSlots.size();
    }
    table.put(new Entry(id, file.path().toString(), file.identity()));
    file.entered(id);
    engine.room().entered(left);
    return true;
  }

  /** Gives a slot back that no record in the log names. The caller holds the file. */
  void freeSlot(LoggedFile file) {
    if (file.id() != 0) {
      synchronized (freeSlots) {
        freeSlots.add(FileTable.slotOf(file.id()));
      }
      file.entered(0);
    }
  }

  /** Returns whether a file was closed that waited for a drain only. */
  boolean closeIdle() throws IOException {
    boolean closed = false;
    for (LoggedFile file : files.values()) {
      closed |= closeIfIdle(file);
    }
    return closed;
  }

  /** Closes a file that has no user, once the medium holds a drained number behind its last one. */
  boolean closeIfIdle(LoggedFile file) throws IOException {
    if (!file.uses().isUnused() || file.isHeld() || !names.tryLock()) {
      return false; // The next drain comes by.
    }
    try {
      return files.get(file.key()) == file && file.tryLock() && closeHeld(file);
    } finally {
      names.unlock();
    }
  }

  /** Unlocks the file as well: a writer that waited for room finds it closed. */
  private boolean closeHeld(LoggedFile file) throws IOException {
    try {
      if (!file.uses().isUnused()) {
        return false;
      }
      freeSlot(file); // First, so that who looks for a slot finds it free or waiting.
      if (file.syncs().hasLossToReport()) {
        return false;
      }
      files.remove(file.key(), file);
      file.closeFile();
      return true;
    } finally {
      file.unlock();
    }
  }

  /** Gives a file its new name in the table. The caller holds the names and the drained file. */
  void renamed(LoggedFile file, Path to) {
    freeSlot(file);
    file.moved(to);
  }
}
