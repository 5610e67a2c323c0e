// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import io.nvcache.background.BackgroundThread;
import io.nvcache.bench.sample.FileTree;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.log.DrainPace;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LogSettings;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The logs and files that {@code log bench} measures, in separate directories. */
final class BenchLogs implements AutoCloseable {
  static final int BLOCK_BYTES = 4096;
  static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long BACKGROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A disk that takes no time, to measure the append alone. */
  static final class NoDisk implements Disk {
    @Override
    public Identity identify(Path path) {
      return new Identity(1, 1, 1, 0, 0600);
    }

    @Override
    public boolean search(
        Path directory, int depth, Set<Long> inodes, BiConsumer<Path, Identity> found) {
      return true;
    }

    @Override
    public Long device(Path directory) {
      return 1L;
    }

    @Override
    public DiskFile open(Path path) {
      return new NoFile();
    }

    @Override
    public DiskFile create(Path path, Path root, int mode) {
      return new NoFile();
    }

    @Override
    public void syncDirectory(Path directory) {}
  }

  private static final class NoFile implements DiskFile {
    @Override
    public void write(ByteBuffer source, long position) {
      source.position(source.limit());
    }

    @Override
    public void truncate(long bytes) {}

    @Override
    public void touch(long place) {}

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void force() {}

    @Override
    public void forceData() {}

    @Override
    public void close() {}
  }

  private final Path logs;
  private final Path files;
  private final DiskCalm calm;

  /** Makes separate directories below these. */
  BenchLogs(@Nullable Path logDirectory, Path directory) throws IOException {
    Path memory = Path.of("/dev/shm");
    Path above =
        logDirectory != null ? logDirectory : Files.isWritable(memory) ? memory : directory;
    this.logs = Files.createTempDirectory(above, "nvcache-log-bench").toRealPath();
    this.files = Files.createTempDirectory(directory, "nvcache-log-bench").toRealPath();
    this.calm = new DiskCalm(files);
  }

  /** Returns when the disk has brought to an end what earlier figures left to it. */
  void settle() throws IOException {
    calm.await();
  }

  /** Returns where a file of a name is. */
  Path file(String name) {
    return files.resolve(name);
  }

  /** Returns a comparison of starts of JVMs. */
  JvmStarts starts() {
    return new JvmStarts(logs, files);
  }

  static boolean writesLinesBack() {
    return LogFile.writesLinesBack();
  }

  LogFile newLog(String name, int lanes, int laneBytes) throws IOException {
    return newLog(name, lanes, laneBytes, Persistence.EMULATED);
  }

  LogFile newLog(String name, int lanes, int laneBytes, Persistence persistence)
      throws IOException {
    LogLayout layout = new LogLayout(lanes, laneBytes, 64, 1, 0);
    return LogFile.open(logs.resolve(name), layout, persistence, Durability.PROCESS_CRASH);
  }

  /** Gives the memory of a closed log back. */
  void delete(String log) throws IOException {
    Files.deleteIfExists(logs.resolve(log));
  }

  LogEngine engine(LogFile log, Disk disk, Propagation propagation) throws IOException {
    return engine(log, disk, propagation, LogSettings.DEFAULT_BATCH_RECORDS);
  }

  LogEngine engine(LogFile log, Disk disk, Propagation propagation, int batchRecords)
      throws IOException {
    LogSettings settings =
        new LogSettings(
            List.of(files),
            logs.resolve("orphans"),
            true,
            TIMEOUT_NANOS,
            propagation,
            batchRecords);
    return new LogEngine(log, log.layout(), disk, settings, System::currentTimeMillis);
  }

  /** Returns a thread that drains an engine as in production; it runs. */
  static BackgroundThread drainOf(LogEngine engine) {
    return background(engine, new DrainPace(engine, System::nanoTime)::round);
  }

  static BackgroundThread background(LogEngine engine, Runnable work) {
    BackgroundThread drain = new BackgroundThread("log-bench", BACKGROUND_NANOS, work);
    engine.onWork(drain::wake);
    drain.start();
    return drain;
  }

  static void end(BackgroundThread drain) {
    drain.end();
    boolean unused = drain.awaitEnd(TIMEOUT_NANOS);
  }

  /** Opens a file of the disk. */
  static LoggedFile open(LogEngine engine, Path path) throws IOException {
    return open(engine, path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  static LoggedFile open(LogEngine engine, Path path, Object key) throws IOException {
    engine.names().lock();
    try {
      return engine.open(path, key, true);
    } finally {
      engine.names().unlock();
    }
  }

  static ByteBuffer block() {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    SplittableRandom random = new SplittableRandom(1);
    while (block.hasRemaining()) {
      block.putLong(random.nextLong());
    }
    return block.flip();
  }

  /**
   * Makes a file whose bytes are on the disk. Written block by block, as by the programs that are
   * compared: from long pieces, the newest Linux kernels make long folios in ext4's page cache, and
   * a later write of one block there takes ten times as long, with a log and without.
   */
  Path fill(String name, long length) throws IOException {
    Path path = file(name);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = block();
      for (long at = channel.size(); at < length; ) {
        at += channel.write(bytes.clear(), at);
      }
      channel.force(true);
    }
    return path;
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(logs);
    FileTree.delete(files);
  }
}
