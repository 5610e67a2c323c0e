// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.NameChanges;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells an open log what is about to happen to files past its file system, by {@code java.io}, so
 * that it drains first and knows the names afterwards. For code that sees such calls and makes them
 * itself.
 *
 * <p>Paths are the platform's, absolute or not, with or without links. Each method returns null,
 * and does nothing, where a path lies outside of the roots. Thread-safe; what a method returns
 * belongs to the thread that called it until it is closed, unless it says otherwise.
 */
public final class OutsideChanges {
  private final LogEngine engine;

  /** Speaks to a log. */
  public OutsideChanges(WriteLog log) {
    this.engine = log.engine();
  }

  /**
   * A name is about to be deleted, of a file or of an empty directory.
   *
   * @return what holds the names until it is closed; tell it with {@code changed} that the name is
   *     gone
   */
  public NameChanges.@Nullable Held beforeDelete(Path path) throws IOException {
    Path real = inRoot(path);
    return real == null
        ? null
        : NameChanges.beforeDelete(engine, real, () -> RealPaths.keyOfName(real));
  }

  /**
   * A name is about to be changed to another one, which may be there.
   *
   * @return what holds the names until it is closed; tell it with {@code changed} that it is done
   */
  public NameChanges.@Nullable Held beforeRename(Path from, Path to) throws IOException {
    Path realFrom = RealPaths.ofName(from);
    Path realTo = RealPaths.ofName(to);
    if (realFrom == null || realTo == null || (!isInRoot(realFrom) && !isInRoot(realTo))) {
      return null;
    }
    return NameChanges.beforeMove(engine, realFrom, realTo, () -> LoggedNames.keyOfFile(realTo));
  }

  /** A file or a directory was made; its name is durable when this returns. */
  public void created(Path path) throws IOException {
    Path real = inRoot(path);
    if (real != null && engine.settings().absorbsForce()) {
      engine.syncDirectories(real);
    }
  }

  /** The bytes, the length or the times of a file are about to be asked for. */
  public void beforeLook(Path path) throws IOException {
    LoggedFile file = engine.defers() ? LoggedNames.fileOf(engine, path) : null;
    if (file != null) {
      file.publish();
    }
  }

  /**
   * A file is about to be opened for writing, and perhaps to be made or cut. Its records are
   * brought to the disk first, and until the last such writer is closed its changes are not logged,
   * so no replay undoes what is written.
   */
  public @Nullable Writer beforeWrite(Path path) throws IOException {
    Path real = RealPaths.of(path, Set.of(StandardOpenOption.CREATE));
    if (real == null || !isInRoot(real)) {
      return null;
    }
    Writer writer = new Writer(real);
    writer.take();
    return writer;
  }

  /** A writer past the log. Any thread may use it, one at a time. */
  public final class Writer implements AutoCloseable {
    private final Path path;
    private @Nullable LoggedFile file;

    private Writer(Path path) {
      this.path = path;
    }

    /** The file is open: it may be a new one. */
    public void opened() throws IOException {
      take();
    }

    private void take() throws IOException {
      engine.names().lock();
      try {
        Object key = RealPaths.keyOfName(path);
        if (file == null && key != null && RealPaths.isPlain(path)) {
          file = engine.openOutside(path, key);
        }
      } finally {
        engine.names().unlock();
      }
    }

    /** The file is closed, or its opening failed. */
    @Override
    public void close() throws IOException {
      engine.names().lock();
      try {
        LoggedFile open = file;
        file = null;
        if (open != null) {
          open.uses().release();
        }
      } finally {
        engine.names().unlock();
      }
    }
  }

  private @Nullable Path inRoot(Path path) {
    Path real = RealPaths.ofName(path);
    return real == null || !isInRoot(real) ? null : real;
  }

  private boolean isInRoot(Path path) {
    return engine.settings().rootOf(path) != null;
  }
}
