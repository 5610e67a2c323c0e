// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.NameChanges;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of a directory, as paths of the log's file system. */
class LoggedDirectoryStream implements DirectoryStream<Path> {
  final WriteLogFileSystemProvider provider;
  final Path directory;
  private final DirectoryStream<Path> entries;

  private LoggedDirectoryStream(
      WriteLogFileSystemProvider provider, Path directory, DirectoryStream<Path> entries) {
    this.provider = provider;
    this.directory = directory;
    this.entries = entries;
  }

  /**
   * Takes the platform's stream over, which may be a secure one.
   *
   * @param directory a path of the log's file system
   */
  static DirectoryStream<Path> of(
      WriteLogFileSystemProvider provider, Path directory, DirectoryStream<Path> entries) {
    return entries instanceof SecureDirectoryStream<Path> secure
        ? new Secure(provider, directory, secure)
        : new LoggedDirectoryStream(provider, directory, entries);
  }

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
        return WriteLogFileSystemProvider.wrap(directory, all.next());
      }
    };
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }

  /**
   * A directory that is held open, so that nobody can put another one in its place. What is written
   * by it goes past the log, which is drained before and keeps off the file; names change as the
   * log has it.
   */
  private static final class Secure extends LoggedDirectoryStream
      implements SecureDirectoryStream<Path> {
    private final SecureDirectoryStream<Path> platform;

    private Secure(
        WriteLogFileSystemProvider provider, Path directory, SecureDirectoryStream<Path> platform) {
      super(provider, directory, platform);
      this.platform = platform;
    }

    private static Path plain(Path path) {
      return WriteLogFileSystemProvider.platform(path);
    }

    private Path absolute(Path path) {
      return plain(directory).toAbsolutePath().resolve(plain(path));
    }

    @Override
    public SecureDirectoryStream<Path> newDirectoryStream(Path path, LinkOption... options)
        throws IOException {
      return new Secure(
          provider, directory.resolve(path), platform.newDirectoryStream(plain(path), options));
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      WriteLog log = provider.log();
      if (log == null) {
        return platform.newByteChannel(plain(path), options, attributes);
      }
      OutsideChanges outside = new OutsideChanges(log);
      if (!ChannelOpening.writes(options)) {
        outside.beforeLook(absolute(path));
        return platform.newByteChannel(plain(path), options, attributes);
      }
      OutsideChanges.Writer writer = outside.beforeWrite(absolute(path));
      if (writer == null) {
        return platform.newByteChannel(plain(path), options, attributes);
      }
      SeekableByteChannel channel = null;
      try {
        channel = platform.newByteChannel(plain(path), options, attributes);
        writer.opened();
        return new OutsideChannel(channel, writer);
      } catch (IOException | RuntimeException | Error e) {
        if (channel != null) {
          channel.close();
        }
        writer.close();
        throw e;
      }
    }

    @Override
    public void deleteFile(Path path) throws IOException {
      delete(path, () -> platform.deleteFile(plain(path)));
    }

    @Override
    public void deleteDirectory(Path path) throws IOException {
      delete(path, () -> platform.deleteDirectory(plain(path)));
    }

    private void delete(Path path, NameChanges.Change change) throws IOException {
      WriteLog log = provider.log();
      try (NameChanges.Held held =
          log == null ? null : new OutsideChanges(log).beforeDelete(absolute(path))) {
        change.run();
        if (held != null && isInItsPlace()) {
          held.changed();
        }
      }
    }

    @Override
    public void move(Path from, SecureDirectoryStream<Path> target, Path to) throws IOException {
      if (!(target instanceof Secure other)) {
        throw new ProviderMismatchException();
      }
      WriteLog log = provider.log();
      try (NameChanges.Held held =
          log == null
              ? null
              : new OutsideChanges(log).beforeRename(absolute(from), other.absolute(to))) {
        platform.move(plain(from), other.platform, plain(to));
        if (held != null && isInItsPlace() && other.isInItsPlace()) {
          held.changed();
        }
      }
    }

    /** Returns whether the directory's path leads to it; if not, a look at the names finds out. */
    private boolean isInItsPlace() throws IOException {
      Object key =
          platform.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
      return key != null && key.equals(RealPaths.keyOf(plain(directory)));
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(Class<V> type) {
      return platform.getFileAttributeView(type);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return platform.getFileAttributeView(plain(path), type, options);
    }
  }
}
