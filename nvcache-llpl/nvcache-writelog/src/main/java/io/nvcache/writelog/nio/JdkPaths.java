// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.woven.PathCalls;
import io.nvcache.writelog.woven.WovenPaths;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code java.nio.file} and {@link File} for the paths of a log's roots. It does nothing
 * itself: a path becomes one of the {@linkplain WriteLogFileSystemProvider file system} over the
 * log, which does what the program asked for; only {@link OpenDirectories} has names without paths.
 *
 * <p>That file system is based on a second one of the platform, which is not woven, so nothing that
 * the log does comes back here. Thread-safe.
 */
final class JdkPaths implements PathCalls {
  private final RootPaths paths;
  private final WriteLogFileSystemProvider logged;
  private final LoggedFileSystem files;
  private final LogEngine engine;
  private final OpenDirectories directories;

  private JdkPaths(WriteLogFileSystemProvider logged, WriteLog log, RootPaths paths)
      throws ReflectiveOperationException {
    this.logged = logged;
    this.files = (LoggedFileSystem) logged.getFileSystem(URI.create("file:///"));
    this.engine = log.engine();
    this.directories = new OpenDirectories(engine, log.path().getFileSystem());
    this.paths = paths;
  }

  /**
   * Begins to answer. The JDK's packages must be open to this one.
   *
   * @param unwoven the provider that the log is based on
   */
  static void install(
      WriteLogFileSystemProvider logged, WriteLog log, RootPaths paths, FileSystemProvider unwoven)
      throws ReflectiveOperationException {
    WovenPaths.install(new JdkPaths(logged, log, paths), unwoven);
  }

  private Path wrap(Path path) {
    return files.wrap(path);
  }

  /** Returns a name in a root, as a path over the log; null if it is in none. */
  private @Nullable Path inRoot(@Nullable Path plain) {
    return plain != null && paths.isName(plain) ? wrap(plain) : null;
  }

  // ---- java.nio.file

  /** Reading needs no question where the page cache has all, except for a directory to force. */
  private @Nullable Path toOpen(Path path, Set<? extends OpenOption> options) {
    boolean reads =
        !ChannelOpening.writes(options) && !options.contains(StandardOpenOption.DELETE_ON_CLOSE);
    if (reads && !engine.defers() && !paths.isBelowRoot(path)) {
      return null;
    }
    Path plain = paths.plain(path);
    if (plain == null || (reads && !engine.defers() && !Files.isDirectory(plain))) {
      return null;
    }
    return paths.fileOf(plain, options) == null ? null : wrap(plain);
  }

  @Override
  public @Nullable FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path to = toOpen(path, options);
    return to == null ? null : logged.newFileChannel(to, options, attributes);
  }

  @Override
  public @Nullable SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path to = toOpen(path, options);
    return to == null ? null : logged.newByteChannel(to, options, attributes);
  }

  @Override
  public @Nullable AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    Path to = toOpen(path, options);
    return to == null ? null : logged.newAsynchronousFileChannel(to, options, executor, attributes);
  }

  @Override
  public int delete(Path path) throws IOException {
    return deletePlain(paths.plain(path));
  }

  private int deletePlain(@Nullable Path plain) throws IOException {
    Path name = inRoot(plain);
    if (name == null) {
      return GO_ON;
    }
    logged.delete(name);
    return DONE;
  }

  @Override
  public int deleteIfExists(Path path) throws IOException {
    Path name = inRoot(paths.plain(path));
    return name == null ? GO_ON : logged.deleteIfExists(name) ? DONE : FAILED;
  }

  @Override
  public int move(Path from, Path to, CopyOption... options) throws IOException {
    return movePlain(paths.plain(from), paths.plain(to), options);
  }

  private int movePlain(@Nullable Path from, @Nullable Path to, CopyOption... options)
      throws IOException {
    if (from == null || to == null) {
      return GO_ON;
    }
    paths.beforeMoving(from);
    if (!paths.isName(from) && !paths.isName(to)) {
      return GO_ON;
    }
    logged.move(wrap(from), wrap(to), options);
    return DONE;
  }

  @Override
  public int copy(Path from, Path to, CopyOption... options) throws IOException {
    Path plainFrom = paths.plain(from);
    Path plainTo = paths.plain(to);
    if (plainFrom == null || plainTo == null || !(paths.isName(plainTo) || engine.defers())) {
      return GO_ON;
    }
    logged.copy(wrap(plainFrom), wrap(plainTo), options);
    return DONE;
  }

  @Override
  public int createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    return createPlain(paths.plain(path), attributes);
  }

  private int createPlain(@Nullable Path plain, FileAttribute<?>... attributes) throws IOException {
    Path name = inRoot(plain);
    if (name == null) {
      return GO_ON;
    }
    logged.createDirectory(name, attributes);
    return DONE;
  }

  @Override
  public int createLink(Path link, Path existing) throws IOException {
    Path name = inRoot(paths.plain(link));
    Path plainExisting = paths.plain(existing);
    if (name == null || plainExisting == null) {
      return GO_ON;
    }
    logged.createLink(name, wrap(plainExisting));
    return DONE;
  }

  @Override
  public int createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    paths.forgetOutside();
    Path name = inRoot(paths.plain(link));
    Path plainTarget = paths.plain(target);
    if (name == null || plainTarget == null) {
      return GO_ON;
    }
    logged.createSymbolicLink(name, wrap(plainTarget), attributes);
    return DONE;
  }

  @Override
  public void beforeSettingTimes(BasicFileAttributeView view) throws IOException {
    drain(paths.plain(directories.pathOf(view)));
  }

  @Override
  public void beforeLooking(BasicFileAttributeView view) throws IOException {
    if (engine.isBehind()) {
      beforeLooking(directories.pathOf(view));
    }
  }

  @Override
  public void beforeLooking(Path path) throws IOException {
    publish(engine.isBehind() ? paths.plain(path) : null);
  }

  private void publish(@Nullable Path plain) throws IOException {
    if (plain != null) {
      logged.publish(plain);
    }
  }

  private void drain(@Nullable Path plain) throws IOException {
    if (plain != null) {
      logged.drain(plain);
    }
  }

  @Override
  public void beforeNameLoss(SecureDirectoryStream<?> directory, Path name) throws IOException {
    directories.beforeNameLoss(directory, name);
  }

  @Override
  public void beforeRenaming(SecureDirectoryStream<?> directory, Path name) throws IOException {
    directories.beforeRenaming(directory, name);
  }

  @Override
  public void beforeOpening(
      SecureDirectoryStream<?> directory, Path name, Set<? extends OpenOption> options)
      throws IOException {
    directories.beforeOpening(directory, name, options);
  }

  // ---- java.io.File, whose answer to a failure is false

  /** A change that the log makes, or leaves to the JDK. */
  @FunctionalInterface
  private interface Change {
    int run() throws IOException;
  }

  private static int attempt(Change change) {
    try {
      return change.run();
    } catch (IOException e) {
      return FAILED;
    }
  }

  @Override
  public int delete(File file) {
    return attempt(() -> deletePlain(paths.plain(file)));
  }

  @Override
  public int rename(File from, File to) {
    return attempt(
        () -> movePlain(paths.plain(from), paths.plain(to), StandardCopyOption.ATOMIC_MOVE));
  }

  @Override
  public int makeDirectory(File directory) {
    return attempt(() -> createPlain(paths.plain(directory)));
  }

  @Override
  public void beforeLooking(File file) {
    try {
      publish(engine.isBehind() ? paths.plain(file) : null);
    } catch (IOException e) {
      // Its answer is what the platform knows; reads and writes of the file say what is wrong.
    }
  }

  @Override
  public void beforeSettingTime(File file) {
    try {
      drain(paths.plain(file));
    } catch (IOException e) {
      // As above.
    }
  }
}
