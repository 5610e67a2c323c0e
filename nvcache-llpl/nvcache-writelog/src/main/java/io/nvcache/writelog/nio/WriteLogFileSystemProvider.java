// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.NameChanges;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
 * <p>Outside of the directories it returns the platform's own channels, and for reading, too,
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
  private @Nullable LoggedFileSystem files;
  private @Nullable WriteLogOptions options;
  private volatile @Nullable List<Path> roots;
  private volatile @Nullable List<Path> realRoots;
  private volatile @Nullable WriteLog log;
  private @Nullable IOException failure;

  /** Stands for the scheme {@value #SCHEME}; found by the service loader. */
  public WriteLogFileSystemProvider() {
    this.platform = java.nio.file.FileSystems.getDefault().provider();
    this.isDefault = false;
  }

  /** Becomes the JVM's default. */
  public WriteLogFileSystemProvider(FileSystemProvider platform) {
    this.platform = platform;
    this.isDefault = true;
    this.files = new LoggedFileSystem(this, platformFiles(), true);
  }

  private FileSystem platformFiles() {
    return platform.getFileSystem(URI.create("file:///"));
  }

  // ---- the log

  private List<Path> roots() {
    List<Path> known = roots;
    if (known == null) {
      WriteLogOptions from = options;
      if (from == null) {
        from = WriteLogOptions.ofSystem();
      }
      known = isDefault && from.values().isEmpty() ? List.of() : from.roots(platformFiles());
      roots = known;
    }
    return known;
  }

  /** Returns whether a path is below a root, by its name. */
  private boolean isBelowRoot(Path path) {
    List<Path> known = roots();
    if (known.isEmpty()) {
      return false;
    }
    Path absolute = path.toAbsolutePath().normalize();
    WriteLog open = log;
    return isBelow(known, absolute) || (open != null && isBelow(open.roots(), absolute));
  }

  /** A loop, since the JVM may be too young for more when it first asks. */
  private static boolean isBelow(List<Path> directories, Path path) {
    for (Path directory : directories) {
      if (path.startsWith(directory)) {
        return true;
      }
    }
    return false;
  }

  /** Opens the log before anything below its roots is seen, which a recovery may change. */
  private void ready(Path path) throws IOException {
    if (log == null && !roots().isEmpty() && (isBelowRoot(path) || leadsBelowRoot(path))) {
      openLog();
    }
  }

  /** Returns whether links lead below a root, of a path or of the root. */
  private boolean leadsBelowRoot(Path path) {
    Path real = RealPaths.ofNearest(path);
    return real != null && isBelow(realRoots(), real);
  }

  private List<Path> realRoots() {
    List<Path> known = realRoots;
    if (known == null) {
      known = new ArrayList<>();
      for (Path root : roots()) {
        Path real = RealPaths.ofNearest(root);
        known.add(real == null ? root : real);
      }
      realRoots = known;
    }
    return known;
  }

  private synchronized WriteLog openLog() throws IOException {
    WriteLog open = log;
    if (open != null) {
      return open;
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    try {
      WriteLogOptions from = options == null ? WriteLogOptions.ofSystem() : options;
      WriteLog opened = from.open(platformFiles());
      log = opened;
      if (isDefault) {
        // Beside the program, for JMX takes its time to start.
        Thread bean = new Thread(opened::registerMBean, "nvcache-write-log-bean");
        bean.setDaemon(true);
        bean.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(opened), "nvcache-write-log"));
      }
      return opened;
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** What is written after it stays in the log, for the next start. */
  private static void drain(WriteLog open) {
    try {
      open.drain();
    } catch (IOException e) {
      System.err.println("the write log " + open.path() + " was not drained: " + e);
    }
  }

  boolean isLogOpen() {
    return log != null;
  }

  synchronized void closeLog() throws IOException {
    WriteLog open = log;
    if (open != null) {
      open.close();
    }
    log = null;
    files = null;
    options = null;
    roots = null;
    realRoots = null;
  }

  /** Returns the log, for who watches it; null before it is needed. */
  public @Nullable WriteLog log() {
    return log;
  }

  // ---- file systems and paths

  static Path platform(Path path) {
    if (path instanceof LoggedPath logged) {
      return logged.platform();
    }
    if (path == null) {
      throw new NullPointerException("path");
    }
    throw new ProviderMismatchException();
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
    options = WriteLogOptions.of(env);
    failure = null;
    try {
      openLog();
    } catch (IOException | RuntimeException e) {
      options = null;
      throw e;
    }
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
    ready(inner);
    FileChannel logged = openLogged(inner, options, attributes);
    if (logged != null) {
      return logged;
    }
    publish(inner);
    return platform.newFileChannel(inner, options, attributes);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path inner = platform(path);
    ready(inner);
    FileChannel logged = openLogged(inner, options, attributes);
    if (logged != null) {
      return logged;
    }
    publish(inner);
    return platform.newByteChannel(inner, options, attributes);
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    Path inner = platform(path);
    ready(inner);
    ExecutorService threads = executor == null ? AsyncThreads.DEFAULT : executor;
    FileChannel logged = openLogged(inner, options, attributes);
    if (logged == null) {
      publish(inner);
      return platform.newAsynchronousFileChannel(inner, options, executor, attributes);
    }
    return LoggedAsyncChannel.of(logged, threads);
  }

  /** Returns null for what the platform is to open itself. */
  private @Nullable FileChannel openLogged(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (roots().isEmpty() || !ChannelOpening.mayBeLogged(options)) {
      return null;
    }
    Path real = RealPaths.of(path, options);
    boolean writes = ChannelOpening.writes(options);
    WriteLog open = log;
    if (open == null && writes && real != null && isBelowRoot(real)) {
      open = openLog();
    }
    if (open == null || real == null || !isIn(open, real) || !RealPaths.isPlain(real)) {
      return null;
    }
    if (!writes && open.propagation() == Propagation.ON_WRITE) {
      return null;
    }
    return new ChannelOpening(platform, open.engine()).open(real, options, attributes);
  }

  private static boolean isIn(WriteLog open, Path path) {
    return open.engine().settings().rootOf(path) != null;
  }

  /** Opens the log if it is needed, and has others see what it defers of a file. */
  private void publish(Path path) throws IOException {
    ready(path);
    WriteLog open = log;
    if (open == null
        || open.propagation() == Propagation.ON_WRITE
        || open.engine().drainedSeq() == open.engine().lastSeq()) {
      return;
    }
    // By its key: any other name or link may lead to the file.
    Object key = RealPaths.keyOf(path);
    LoggedFile file = key == null ? null : open.engine().find(key);
    if (file != null) {
      file.publish();
    }
  }

  // ---- names

  /** Returns the log if a path lies in it, with its directory's links resolved. */
  private @Nullable WriteLog logOf(@Nullable Path real) {
    WriteLog open = log;
    return open != null && real != null && isIn(open, real) ? open : null;
  }

  @Override
  public void delete(Path path) throws IOException {
    Path inner = platform(path);
    ready(inner);
    Path real = RealPaths.ofName(inner);
    WriteLog open = logOf(real);
    if (open == null || real == null) {
      platform.delete(inner);
    } else {
      NameChanges.delete(
          open.engine(), real, RealPaths.keyOfName(real), () -> platform.delete(real));
    }
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
    ready(from);
    ready(to);
    Path realFrom = RealPaths.ofName(from);
    Path realTo = RealPaths.ofName(to);
    WriteLog open = logOf(realFrom) == null ? logOf(realTo) : logOf(realFrom);
    if (open == null || realFrom == null || realTo == null) {
      platform.move(from, to, options);
      return;
    }
    Object replaced =
        Files.isDirectory(realTo, LinkOption.NOFOLLOW_LINKS) ? null : RealPaths.keyOfName(realTo);
    NameChanges.move(
        open.engine(), realFrom, realTo, replaced, () -> move(open, realFrom, realTo, options));
  }

  /** A move to another file system copies. */
  private void move(WriteLog open, Path from, Path to, CopyOption... options) throws IOException {
    Object key = RealPaths.keyOfName(from);
    platform.move(from, to, options);
    if (isIn(open, to) && !Objects.equals(key, RealPaths.keyOfName(to))) {
      open.engine().syncFile(to);
    }
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    Path from = platform(source);
    Path to = platform(target);
    publish(from);
    ready(to);
    Path real = RealPaths.ofName(to);
    WriteLog open = logOf(real);
    if (open == null || real == null) {
      platform.copy(from, to, options);
      return;
    }
    Object replaced = RealPaths.keyOfName(real);
    if (replaced == null) {
      copy(open, from, real, options);
      open.engine().syncDirectories(real);
    } else if (Files.isSameFile(from, real)) {
      platform.copy(from, to, options);
    } else {
      NameChanges.delete(open.engine(), real, replaced, () -> copy(open, from, real, options));
    }
  }

  /** Leaves no copy in the page cache alone, which a log that absorbs its sync never saw. */
  private void copy(WriteLog open, Path from, Path to, CopyOption... options) throws IOException {
    platform.copy(from, to, options);
    open.engine().syncFile(to);
  }

  /** Durable when it returns, in the roots: a file below may be durable in the log. */
  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    Path inner = platform(path);
    ready(inner);
    platform.createDirectory(inner, attributes);
    Path real = RealPaths.ofName(inner);
    WriteLog open = logOf(real);
    if (open != null && real != null) {
      open.engine().syncDirectories(real);
    }
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    ready(platform(link));
    platform.createSymbolicLink(platform(link), platform(target), attributes);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    ready(platform(existing));
    ready(platform(link));
    platform.createLink(platform(link), platform(existing));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return wrap(link, platform.readSymbolicLink(platform(link)));
  }

  private static Path wrap(Path like, Path path) {
    return ((LoggedFileSystem) like.getFileSystem()).wrap(path);
  }

  // ---- the rest

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Path inner = platform(directory);
    ready(inner);
    DirectoryStream<Path> entries =
        platform.newDirectoryStream(inner, entry -> filter.accept(wrap(directory, entry)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> all = entries.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return all.hasNext();
          }

          @Override
          public Path next() {
            return wrap(directory, all.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        entries.close();
      }
    };
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
    ready(inner);
    platform.checkAccess(inner, modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Path inner = platform(path);
    V view = platform.getFileAttributeView(inner, type, options);
    WriteLog open = log;
    boolean isFresh = open != null && open.propagation() == Propagation.ON_WRITE;
    if (view == null || roots().isEmpty() || isFresh) {
      return view;
    }
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() != Object.class && !method.getName().equals("name")) {
                publish(inner);
              }
              try {
                return method.invoke(view, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
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
    ready(inner);
    platform.setAttribute(inner, attribute, value, options);
  }
}
