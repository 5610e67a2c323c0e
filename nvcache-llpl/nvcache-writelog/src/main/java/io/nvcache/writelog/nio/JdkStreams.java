// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static io.nvcache.writelog.woven.PathCalls.DONE;
import static io.nvcache.writelog.woven.PathCalls.GO_ON;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.woven.StreamCalls;
import io.nvcache.writelog.woven.WovenStreams;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers the streams and descriptors of {@code java.io} for the files of a log's roots: a stream
 * is entered when it opens such a file, and what it then writes goes through the log. Thread-safe.
 */
final class JdkStreams implements StreamCalls {
  private static final Set<OpenOption> CREATING = Set.of(StandardOpenOption.CREATE);
  private static final Set<OpenOption> READING = Set.of(StandardOpenOption.READ);

  /** To close it ends no lock of a program. */
  private static final String ANY_FILE = "/dev/null";

  private final FileSystemProvider unwoven;
  private final RootPaths paths;
  private final LogEngine engine;
  private final NativeCalls natives;
  private final LoggedStreams streams = new LoggedStreams();

  private JdkStreams(WriteLog log, RootPaths paths, FileSystemProvider unwoven)
      throws ReflectiveOperationException {
    this.unwoven = unwoven;
    this.engine = log.engine();
    this.natives = NativeCalls.find();
    this.paths = paths;
  }

  /**
   * Begins to answer. The JDK's packages must be open to this one.
   *
   * @param unwoven the provider that the log is based on
   */
  static void install(WriteLog log, RootPaths paths, FileSystemProvider unwoven)
      throws ReflectiveOperationException {
    WovenStreams.install(new JdkStreams(log, paths, unwoven));
  }

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
    enter(descriptor, new LoggedStream(engine, file, descriptor, ChannelMode.READER));
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
    LoggedFile file = new ChannelOpening(unwoven, engine).openFile(real);
    if (file == null) {
      return;
    }
    ChannelMode mode = new ChannelMode(false, true, appends, syncs);
    LoggedStream entered = new LoggedStream(engine, file, stream, mode);
    enter(descriptor, entered);
    try {
      if (cuts && Files.size(real) > 0) {
        // The stream opens the file after this; one that it can't open must stay whole.
        unwoven.newByteChannel(real.getFileSystem().getPath(ANY_FILE), READING).close();
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
