// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The platform's file system, with writes to files below some directories going through a write
 * log. As the JVM's default it does so for unmodified programs:
 *
 * <pre>
 * java -Djava.nio.file.spi.DefaultFileSystemProvider=io.nvcache.writelog.nio.WriteLogFileSystemProvider
 *      -Dnvcache.writelog.path=/pmem/app.log -Dnvcache.writelog.roots=/data/app ...
 * </pre>
 *
 * <p>Outside of the directories it returns the platform's own channels, and for reading as well
 * unless writes are deferred. The log is opened, and recovered, when a path below them is first
 * used.
 *
 * <p>As the default it is made while the JVM starts: the constructor logs nothing and makes no
 * path, and no method has a channel of the log by its own type, which the JVM would load to verify
 * that method.
 */
public final class WriteLogFileSystemProvider extends FileSystemProvider {
  /** Of file systems that are not the default. */
  public static final String SCHEME = "nvlog";

  private final FileSystemProvider platform;
  private final boolean isDefault;
  private final LogOpening opening;
  private final LoggedNames names;
  private @Nullable LoggedFileSystem files;

  /** Stands for the scheme {@value #SCHEME}; found by the service loader. */
  public WriteLogFileSystemProvider() {
    this.platform = java.nio.file.FileSystems.getDefault().provider();
    this.isDefault = false;
    this.opening = LogOpening.ofProgram(platformFiles());
    this.names = new LoggedNames(platform, opening);
  }

  /** Becomes the JVM's default. */
  public WriteLogFileSystemProvider(FileSystemProvider platform) {
    this.platform = platform;
    this.isDefault = true;
    this.opening = LogOpening.ofSystem(platformFiles());
    this.names = new LoggedNames(platform, opening);
    this.files = new LoggedFileSystem(this, platformFiles(), true);
  }

  /** Works behind the platform's own file system; used by an agent. */
  WriteLogFileSystemProvider(FileSystemProvider platform, WriteLogOptions options) {
    this.platform = platform;
    this.isDefault = true;
    this.opening = LogOpening.ofAgent(platformFiles(), options);
    this.names = new LoggedNames(platform, opening);
    this.files = new LoggedFileSystem(this, platformFiles(), true);
  }

  private FileSystem platformFiles() {
    return platform.getFileSystem(URI.create("file:///"));
  }

  // ---- the log

  WriteLog openLog() throws IOException {
    return opening.open();
  }

  boolean isLogOpen() {
    return opening.log() != null;
  }

  synchronized void closeLog() throws IOException {
    opening.close();
    files = null;
  }

  /** Returns the log, for who watches it; null before it is needed. */
  public @Nullable WriteLog log() {
    return opening.log();
  }

  // ---- file systems and paths

  static Path platform(Path path) {
    if (path instanceof LoggedPath logged) {
      return logged.platform();
    }
    if (path == null) {
      throw new NullPointerException("path");
    }
    throw new ProviderMismatchException(
        path.getClass().getName() + " is not of the write log's file system");
  }

  private synchronized LoggedFileSystem files() {
    LoggedFileSystem known = files;
    if (known == null) {
      throw new FileSystemNotFoundException(
          "no write log is open; open one with FileSystems.newFileSystem(URI.create(\"nvlog:///\"),"
              + " …)");
    }
    return known;
  }

  @Override
  public String getScheme() {
    return isDefault ? platform.getScheme() : SCHEME;
  }

  @Override
  public synchronized FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
    if (isDefault) {
      return platform.newFileSystem(uri, env);
    }
    if (files != null) {
      throw new FileSystemAlreadyExistsException("a write log is open; close it first");
    }
    opening.open(env);
    files = new LoggedFileSystem(this, platformFiles(), false);
    return files;
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    if (isDefault) {
      FileSystem unused = platform.getFileSystem(uri); // Refuses what is no URI of it.
    }
    return files();
  }

  @Override
  public Path getPath(URI uri) {
    URI file = isDefault ? uri : URI.create("file://" + uri.getRawPath());
    return files().wrap(platform.getPath(file));
  }

  // ---- opening

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    FileChannel logged = openLogged(inner, options, attributes);
    if (logged != null) {
      return logged;
    }
    publish(inner);
    return options.contains(StandardOpenOption.DELETE_ON_CLOSE)
        ? names.openToDelete(
            inner, options, () -> platform.newFileChannel(inner, options, attributes))
        : ofDirectory(inner, platform.newFileChannel(inner, options, attributes));
  }

  /** Returns a channel that has the log know of a force, if it is of a directory in the roots. */
  private FileChannel ofDirectory(Path path, FileChannel channel) {
    WriteLog open = opening.log();
    return open != null && Files.isDirectory(path) && opening.isInRoot(path)
        ? DirectoryChannel.of(open.engine(), channel)
        : channel;
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    FileChannel logged = openLogged(inner, options, attributes);
    if (logged != null) {
      return logged;
    }
    publish(inner);
    return options.contains(StandardOpenOption.DELETE_ON_CLOSE)
        ? names.openToDelete(
            inner, options, () -> platform.newByteChannel(inner, options, attributes))
        : platform.newByteChannel(inner, options, attributes);
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    ExecutorService threads = executor == null ? AsyncThreads.DEFAULT : executor;
    FileChannel logged =
        options.contains(StandardOpenOption.APPEND) // The platform refuses it.
            ? null
            : openLogged(inner, options, attributes);
    if (logged == null) {
      publish(inner);
      return options.contains(StandardOpenOption.DELETE_ON_CLOSE)
          ? names.openToDelete(
              inner,
              options,
              () -> platform.newAsynchronousFileChannel(inner, options, executor, attributes))
          : platform.newAsynchronousFileChannel(inner, options, executor, attributes);
    }
    return LoggedAsyncChannel.of(logged, threads);
  }

  /** Returns null for what the platform is to open itself. */
  private @Nullable FileChannel openLogged(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (opening.hasNoRoots() || !ChannelOpening.mayBeLogged(options)) {
      return null;
    }
    Path real = RealPaths.of(path, options);
    boolean writes = ChannelOpening.writes(options);
    WriteLog open = opening.log();
    if (open == null && writes && real != null && opening.isBelowRoot(real)) {
      open = opening.open();
    }
    if (open == null || real == null || !LoggedNames.isIn(open, real) || !RealPaths.isPlain(real)) {
      return null;
    }
    if (!writes && open.propagation() == Propagation.ON_WRITE) {
      return null;
    }
    return new ChannelOpening(platform, open.engine()).open(real, options, attributes);
  }

  /** Opens the log if it is needed, and has others see what it defers of a file. */
  void publish(Path path) throws IOException {
    opening.ready(path);
    WriteLog open = opening.log();
    if (open == null || !open.engine().isBehind()) {
      return;
    }
    LoggedFile file = LoggedNames.fileOf(open.engine(), path);
    if (file != null) {
      file.publish();
    }
  }

  /**
   * Brings a file out of the log before its times are set: a recovery takes a file for another
   * program's that was modified after the log's last record.
   */
  void drain(Path path) throws IOException {
    WriteLog open = opening.log();
    LoggedFile file = open == null ? null : LoggedNames.fileOf(open.engine(), path);
    if (file != null) {
      file.drain();
    }
  }

  // ---- names

  @Override
  public void delete(Path path) throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    names.delete(inner);
  }

  @Override
  public boolean deleteIfExists(Path path) throws IOException {
    try {
      delete(path);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    Path from = platform(source);
    Path to = platform(target);
    opening.ready(from);
    opening.ready(to);
    names.move(from, to, options);
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    Path from = platform(source);
    Path to = platform(target);
    publish(from);
    opening.ready(to);
    names.copy(from, to, options);
  }

  /**
   * Durable when it returns, in the roots: a file below may be durable in the log. Links as well.
   */
  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    platform.createDirectory(inner, attributes);
    names.made(inner);
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    opening.ready(platform(link));
    platform.createSymbolicLink(platform(link), platform(target), attributes);
    names.made(platform(link));
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    opening.ready(platform(existing));
    opening.ready(platform(link));
    platform.createLink(platform(link), platform(existing));
    names.made(platform(link));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return wrap(link, platform.readSymbolicLink(platform(link)));
  }

  static Path wrap(Path like, Path path) {
    return ((LoggedFileSystem) like.getFileSystem()).wrap(path);
  }

  // ---- the rest

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Path inner = platform(directory);
    opening.ready(inner);
    DirectoryStream<Path> entries =
        platform.newDirectoryStream(inner, entry -> filter.accept(wrap(directory, entry)));
    return LoggedDirectoryStream.of(this, directory, entries);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    if (path.equals(Objects.requireNonNull(other, "other"))) {
      return true;
    }
    return other instanceof LoggedPath && platform.isSameFile(platform(path), platform(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return platform.isHidden(platform(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return platform.getFileStore(platform(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    platform.checkAccess(inner, modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Path inner = platform(path);
    V view = platform.getFileAttributeView(inner, type, options);
    if (view == null || opening.hasNoRoots() || isFreshAndUnlogged(inner)) {
      return view;
    }
    return LoggedAttributes.view(this, inner, type, view);
  }

  /** Returns whether the platform knows all of a path, and what is set there is not the log's. */
  private boolean isFreshAndUnlogged(Path path) {
    WriteLog open = opening.log();
    if (open == null || open.propagation() != Propagation.ON_WRITE) {
      return false;
    }
    return names.logOf(RealPaths.ofName(path)) == null;
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    Path inner = platform(path);
    publish(inner);
    return platform.readAttributes(inner, type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    Path inner = platform(path);
    publish(inner);
    return platform.readAttributes(inner, attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    Path inner = platform(path);
    opening.ready(inner);
    if (attribute.endsWith("Time")) {
      drain(inner);
    }
    platform.setAttribute(inner, attribute, value, options);
  }
}
