// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Answers the JDK's file classes for the files of a log's roots: paths by the {@linkplain
 * WriteLogFileSystemProvider file system} over the log, and streams by themselves.
 *
 * <p>That file system stands on a second one of the platform, which is not woven, so nothing that
 * the log does comes back here. Thread-safe.
 */
final class JdkFiles implements FileCalls {
  /** What the platform puts for bytes of a name that are no characters. */
  private static final char UNKNOWN = '\ufffd';

  private static final Mode READER = new Mode(true, false, false, false);

  private final FileSystem platform;
  private final WriteLogFileSystemProvider logged;
  private final LoggedFileSystem files;
  private final LogEngine engine;
  private final OpenDirectories directories;
  private final NativeCalls natives;
  private final boolean defers;
  private final List<String> roots;
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
    this.defers = log.propagation() == Propagation.DEFERRED;
    this.roots = log.roots().stream().map(Path::toString).toList();
  }

  /**
   * Begins to answer.
   *
   * @param unwoven the provider that the log stands on
   */
  static void install(WriteLogFileSystemProvider logged, WriteLog log, FileSystemProvider unwoven)
      throws ReflectiveOperationException {
    OpenDirectories directories =
        new OpenDirectories(
            log.engine(), log.path().getFileSystem(), OpenDirectories.descriptorField());
    WovenCalls.install(new JdkFiles(logged, log, directories, NativeCalls.find()), unwoven);
  }

  // ---- paths

  /** Returns a path of the file system that is not woven; null if it is no path of the platform. */
  private @Nullable Path plain(@Nullable Path path) {
    if (path == null || path.getFileSystem().getClass() != platform.getClass()) {
      return null;
    }
    String name = path.toString();
    return name.indexOf(UNKNOWN) < 0
        ? platform.getPath(name)
        : platform.provider().getPath(path.toUri());
  }

  private @Nullable Path plain(File file) {
    return file.getPath().isEmpty() ? null : plain(file.getAbsolutePath());
  }

  private @Nullable Path plain(String name) {
    try {
      return name.isEmpty() ? null : platform.getPath(name);
    } catch (InvalidPathException e) {
      return null; // The JDK says what is wrong with it.
    }
  }

  private static boolean isIn(LogEngine engine, @Nullable Path path) {
    return path != null && engine.settings().rootOf(path) != null;
  }

  /** Returns whether a name is in a root, by its directory. */
  private boolean isName(@Nullable Path path) {
    return path != null && isIn(engine, RealPaths.ofName(path));
  }

  private boolean isFile(@Nullable Path path, Set<? extends OpenOption> options) {
    return path != null && isIn(engine, RealPaths.of(path, options));
  }

  private Path wrap(Path path) {
    return files.wrap(path);
  }

  // ---- java.nio.file

  /** Reading needs no question where the page cache has all, but for a directory to force. */
  private @Nullable Path toOpen(Path path, Set<? extends OpenOption> options) {
    boolean reads =
        !ChannelOpening.writes(options) && !options.contains(StandardOpenOption.DELETE_ON_CLOSE);
    if (reads && !defers && !isBelowRoot(path)) {
      return null;
    }
    Path plain = plain(path);
    if (plain == null || (reads && !defers && !Files.isDirectory(plain))) {
      return null;
    }
    return isFile(plain, options) ? wrap(plain) : null;
  }

  /** Compares names only, without their links. */
  private boolean isBelowRoot(@Nullable Path path) {
    if (path != null) {
      String name = path.toAbsolutePath().toString();
      for (String root : roots) {
        if (name.startsWith(root)) {
          return true;
        }
      }
    }
    return false;
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
    Path plain = plain(path);
    if (plain == null || !isName(plain)) {
      return GO_ON;
    }
    logged.delete(wrap(plain));
    return DONE;
  }

  @Override
  public int deleteIfExists(Path path) throws IOException {
    Path plain = plain(path);
    if (plain == null || !isName(plain)) {
      return GO_ON;
    }
    return logged.deleteIfExists(wrap(plain)) ? DONE : FAILED;
  }

  @Override
  public int move(Path from, Path to, CopyOption... options) throws IOException {
    Path plainFrom = plain(from);
    Path plainTo = plain(to);
    if (plainFrom == null || plainTo == null || (!isName(plainFrom) && !isName(plainTo))) {
      return GO_ON;
    }
    logged.move(wrap(plainFrom), wrap(plainTo), options);
    return DONE;
  }

  @Override
  public int copy(Path from, Path to, CopyOption... options) throws IOException {
    Path plainFrom = plain(from);
    Path plainTo = plain(to);
    if (plainFrom == null || plainTo == null || !(isName(plainTo) || defers)) {
      return GO_ON;
    }
    logged.copy(wrap(plainFrom), wrap(plainTo), options);
    return DONE;
  }

  @Override
  public int createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    Path plain = plain(path);
    if (plain == null || !isName(plain)) {
      return GO_ON;
    }
    logged.createDirectory(wrap(plain), attributes);
    return DONE;
  }

  @Override
  public int createLink(Path link, Path existing) throws IOException {
    Path plainLink = plain(link);
    Path plainExisting = plain(existing);
    if (plainLink == null || plainExisting == null || !isName(plainLink)) {
      return GO_ON;
    }
    logged.createLink(wrap(plainLink), wrap(plainExisting));
    return DONE;
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Path plain = plain(path);
    return plain == null || !isFile(plain, Set.of(options))
        ? null
        : logged.getFileAttributeView(wrap(plain), type, options);
  }

  @Override
  public void beforeSetting(Path path, String attribute) throws IOException {
    Path plain = attribute.endsWith("Time") ? plain(path) : null;
    if (plain != null) {
      logged.drain(plain);
    }
  }

  @Override
  public void beforeLooking(Path path) throws IOException {
    Path plain = isBehind() ? plain(path) : null;
    if (plain != null) {
      logged.publish(plain);
    }
  }

  /** Returns whether the page cache may not have all. */
  private boolean isBehind() {
    return defers && engine.drainedSeq() != engine.lastSeq();
  }

  @Override
  public void beforeNameChange(SecureDirectoryStream<?> directory, Path name) throws IOException {
    directories.beforeNameChange(directory, name);
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
    Path plain = plain(file);
    if (plain == null || !isName(plain)) {
      return GO_ON;
    }
    try {
      logged.delete(wrap(plain));
      return DONE;
    } catch (IOException e) {
      return FAILED;
    }
  }

  @Override
  public int rename(File from, File to) {
    Path plainFrom = plain(from);
    Path plainTo = plain(to);
    if (plainFrom == null || plainTo == null || (!isName(plainFrom) && !isName(plainTo))) {
      return GO_ON;
    }
    try {
      logged.move(wrap(plainFrom), wrap(plainTo), StandardCopyOption.ATOMIC_MOVE);
      return DONE;
    } catch (IOException e) {
      return FAILED;
    }
  }

  @Override
  public int makeDirectory(File directory) {
    Path plain = plain(directory);
    if (plain == null || !isName(plain)) {
      return GO_ON;
    }
    try {
      logged.createDirectory(wrap(plain));
      return DONE;
    } catch (IOException e) {
      return FAILED;
    }
  }

  @Override
  public void beforeLooking(File file) {
    Path plain = isBehind() ? plain(file) : null;
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
    Path plain = plain(file);
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
    Path path = defers ? plain(name) : null;
    Path real = path == null ? null : RealPaths.of(path, Set.of());
    if (real == null || !isIn(engine, real) || !Files.isRegularFile(real)) {
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
    Path path = plain(name);
    Path real = path == null ? null : RealPaths.of(path, Set.of(StandardOpenOption.CREATE));
    if (real == null || !isIn(engine, real) || !RealPaths.isPlain(real)) {
      return;
    }
    LoggedFile file = open(real);
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

  /** Returns null where the platform is to say why the file can't be opened. */
  private @Nullable LoggedFile open(Path path) throws IOException {
    engine.names().lock();
    try {
      boolean creates = Files.notExists(path);
      if (creates) {
        platform
            .provider()
            .newFileChannel(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW))
            .close();
      }
      Object key = RealPaths.keyOfName(path);
      return key == null ? null : engine.open(path, key, creates);
    } catch (FileAlreadyExistsException e) {
      throw e; // Somebody else makes it now.
    } catch (FileSystemException e) {
      return null;
    } finally {
      engine.names().unlock();
    }
  }

  /** What a stream reads, the page cache must have, for as long as it is open. */
  private void enter(FileDescriptor descriptor, LoggedStream stream) throws IOException {
    try {
      if (defers) {
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
