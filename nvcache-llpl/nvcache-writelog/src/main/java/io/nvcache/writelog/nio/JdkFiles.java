// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.NameChanges;
import io.nvcache.writelog.nio.LoggedFileChannel.Mode;
import io.nvcache.writelog.woven.FileCalls;
import io.nvcache.writelog.woven.WovenCalls;
import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
 * Answers the JDK's file classes for the files of a log's roots: paths by the {@linkplain
 * WriteLogFileSystemProvider file system} over the log, and streams by themselves.
 *
 * <p>That file system is based on a second one of the platform, which is not woven, so nothing that
 * the log does comes back here. Thread-safe.
 */
final class JdkFiles implements FileCalls {
  private static final Set<OpenOption> CREATING = Set.of(StandardOpenOption.CREATE);

  private static final Mode READER = new Mode(true, false, false, false);

  private final FileSystem platform;
  private final RootPaths paths;
  private final WriteLogFileSystemProvider logged;
  private final LoggedFileSystem files;
  private final LogEngine engine;
  private final OpenDirectories directories;
  private final NativeCalls natives;
  private final LoggedStreams streams = new LoggedStreams();

  private JdkFiles(
      WriteLogFileSystemProvider logged,
      WriteLog log,
      OpenDirectories directories,
      NativeCalls natives) {
    this.logged = logged;
    this.files = (LoggedFileSystem) logged.getFileSystem(URI.create("file:///"));
    this.platform = log.path().getFileSystem();
    this.engine = log.engine();
    this.directories = directories;
    this.natives = natives;
    this.paths = new RootPaths(engine, platform);
  }

  /**
   * Begins to answer.
   *
   * @param unwoven the provider that the log is based on
   */
  static void install(WriteLogFileSystemProvider logged, WriteLog log, FileSystemProvider unwoven)
      throws ReflectiveOperationException {
    OpenDirectories directories = new OpenDirectories(log.engine(), log.path().getFileSystem());
    WovenCalls.install(new JdkFiles(logged, log, directories, NativeCalls.find()), unwoven);
  }

  private Path wrap(Path path) {
    return files.wrap(path);
  }

  /** Returns a name in a root, as a path over the log; null if it is in none. */
  private @Nullable Path inRoot(@Nullable Path plain) {
    return plain != null && paths.isName(plain) ? wrap(plain) : null;
  }

  private static int attempt(NameChanges.Change change) {
    try {
      change.run();
      return DONE;
    } catch (IOException e) {
      return FAILED;
    }
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
    Path name = inRoot(paths.plain(path));
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
    Path plainFrom = paths.plain(from);
    Path plainTo = paths.plain(to);
    if (plainFrom == null || plainTo == null) {
      return GO_ON;
    }
    paths.beforeMoving(plainFrom);
    if (!paths.isName(plainFrom) && !paths.isName(plainTo)) {
      return GO_ON;
    }
    logged.move(wrap(plainFrom), wrap(plainTo), options);
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
    Path name = inRoot(paths.plain(path));
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
    Path plain = paths.plain(directories.pathOf(view));
    if (plain != null) {
      logged.drain(plain);
    }
  }

  @Override
  public void beforeLooking(BasicFileAttributeView view) throws IOException {
    if (isBehind()) {
      beforeLooking(directories.pathOf(view));
    }
  }

  @Override
  public void beforeLooking(Path path) throws IOException {
    Path plain = isBehind() ? paths.plain(path) : null;
    if (plain != null) {
      logged.publish(plain);
    }
  }

  /** Returns whether the page cache may not have all. */
  private boolean isBehind() {
    return engine.defers() && engine.drainedSeq() != engine.lastSeq();
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

  @Override
  public int delete(File file) {
    Path name = inRoot(paths.plain(file));
    return name == null ? GO_ON : attempt(() -> logged.delete(name));
  }

  @Override
  public int rename(File from, File to) {
    Path plainFrom = paths.plain(from);
    Path plainTo = paths.plain(to);
    if (plainFrom == null || plainTo == null) {
      return GO_ON;
    }
    paths.beforeMoving(plainFrom);
    if (!paths.isName(plainFrom) && !paths.isName(plainTo)) {
      return GO_ON;
    }
    return attempt(
        () -> logged.move(wrap(plainFrom), wrap(plainTo), StandardCopyOption.ATOMIC_MOVE));
  }

  @Override
  public int makeDirectory(File directory) {
    Path name = inRoot(paths.plain(directory));
    return name == null ? GO_ON : attempt(() -> logged.createDirectory(name));
  }

  @Override
  public void beforeLooking(File file) {
    Path plain = isBehind() ? paths.plain(file) : null;
    if (plain != null) {
      try {
        logged.publish(plain);
      } catch (IOException e) {
        // Its answer is what the platform knows; reads and writes of the file say what is wrong.
      }
    }
  }

  @Override
  public void beforeSettingTime(File file) {
    Path plain = paths.plain(file);
    if (plain != null) {
      try {
        logged.drain(plain);
      } catch (IOException e) {
        // As above.
      }
    }
  }

  // ---- streams

  @Override
  public void beforeReading(FileDescriptor descriptor, String name) throws IOException {
    Path real = engine.defers() ? paths.fileOf(paths.plain(name), Set.of()) : null;
    if (real == null || !Files.isRegularFile(real)) {
      return;
    }
    LoggedFile file;
    engine.names().lock();
    try {
      Object key = RealPaths.keyOfName(real);
      if (key == null) {
        return;
      }
      file = engine.openToRead(real, key);
    } catch (NoSuchFileException e) {
      return;
    } finally {
      engine.names().unlock();
    }
    enter(descriptor, new LoggedStream(engine, file, descriptor, READER));
  }

  @Override
  public void beforeWriting(
      Object stream,
      FileDescriptor descriptor,
      String name,
      boolean appends,
      boolean cuts,
      boolean syncs)
      throws IOException {
    Path real = paths.fileOf(paths.plain(name), CREATING);
    if (real == null || !RealPaths.isPlain(real)) {
      return;
    }
    LoggedFile file = new ChannelOpening(platform.provider(), engine).openFile(real);
    if (file == null) {
      return;
    }
    Mode mode = new Mode(false, true, appends, syncs);
    LoggedStream entered = new LoggedStream(engine, file, stream, mode);
    enter(descriptor, entered);
    try {
      if (cuts && Files.size(real) > 0) {
        entered.cut();
      }
    } catch (IOException | RuntimeException | Error e) {
      beforeClosing(descriptor);
      throw e;
    }
  }

  /** What a stream reads, the page cache must have, for as long as it is open. */
  private void enter(FileDescriptor descriptor, LoggedStream stream) throws IOException {
    try {
      if (engine.defers()) {
        stream.file().writeThrough();
      }
      streams.enter(descriptor, stream);
    } catch (IOException | RuntimeException | Error e) {
      stream.end();
      throw e;
    }
  }

  @Override
  public void beforeClosing(FileDescriptor descriptor) {
    LoggedStream stream = streams.remove(descriptor);
    if (stream != null) {
      try {
        stream.end();
      } catch (IOException e) {
        // The stream closes all the same; what the log can't bring to the disk, its conditions say.
      }
    }
  }

  @Override
  public boolean isLogged(FileDescriptor descriptor) {
    return streams.findWriter(descriptor) != null;
  }

  @Override
  public int write(Object stream, FileDescriptor descriptor, byte[] bytes, int offset, int length)
      throws IOException {
    LoggedStream logs = streams.findWriter(descriptor);
    if (logs == null) {
      return GO_ON;
    }
    logs.write(bytes, offset, length);
    return DONE;
  }

  @Override
  public int setLength(RandomAccessFile stream, FileDescriptor descriptor, long bytes)
      throws IOException {
    LoggedStream logs = bytes < 0 ? null : streams.findWriter(descriptor);
    if (logs == null) {
      return GO_ON;
    }
    logs.setLength(stream, bytes);
    return DONE;
  }

  @Override
  public int sync(FileDescriptor descriptor) throws IOException {
    LoggedStream logs = streams.findWriter(descriptor);
    if (logs == null) {
      return GO_ON;
    }
    logs.file().force();
    return DONE;
  }

  @Override
  public @Nullable FileChannel channelOf(Object stream, FileDescriptor descriptor)
      throws IOException {
    LoggedStream logs = streams.findWriter(descriptor);
    return logs == null ? null : logs.channel(stream);
  }

  @Override
  public void syncPlain(FileDescriptor descriptor) throws IOException {
    natives.sync(descriptor);
  }

  @Override
  public void setLengthPlain(RandomAccessFile stream, FileDescriptor descriptor, long bytes)
      throws IOException {
    natives.setLength(descriptor, bytes);
  }
}
