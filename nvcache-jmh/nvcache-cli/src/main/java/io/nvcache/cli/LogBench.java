// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.background.BackgroundThread;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.log.Disk;
import io.nvcache.writelog.log.DiskFile;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LogFile;
import io.nvcache.writelog.log.LogLayout;
import io.nvcache.writelog.log.LogRegion;
import io.nvcache.writelog.log.LogSettings;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.PlatformDisk;
import io.nvcache.writelog.log.Recovery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures a log by ratios within one run: rounds of what is compared take turns. */
final class LogBench implements AutoCloseable {
  private static final int BLOCK_BYTES = 4096;

  /** Many and short ones, so that some meet a quiet moment of the machine, both ways alike. */
  private static final int ROUNDS = 2000;

  private static final int APPENDS_A_ROUND = 100;
  private static final long RECOVERED_BYTES = 512L << 20;
  private static final long FILE_BYTES = 64L << 20;
  private static final long BACKGROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A disk that takes no time, for the append alone. */
  private static final class NoDisk implements Disk {
    @Override
    public Identity identify(Path path) {
      return new Identity(1, 0, 0600);
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
    public long size() {
      return 0;
    }

    @Override
    public void force() {}

    @Override
    public void close() {}
  }

  private final Path logs;
  private final Path files;

  /** Makes directories of its own below these. */
  LogBench(@Nullable Path logDirectory, Path directory) throws IOException {
    Path memory = Path.of("/dev/shm");
    Path above =
        logDirectory != null ? logDirectory : Files.isWritable(memory) ? memory : directory;
    this.logs = Files.createTempDirectory(above, "nvcache-log-bench").toRealPath();
    this.files = Files.createTempDirectory(directory, "nvcache-log-bench").toRealPath();
  }

  Path logs() {
    return logs;
  }

  /** Returns a comparison of H2's ways; null without a driver. */
  @Nullable H2Comparison h2(@Nullable Path driver) {
    return driver == null ? null : new H2Comparison(driver, logs, files);
  }

  boolean writesLinesBack() {
    return LogFile.writesLinesBack();
  }

  private LogFile newLog(String name, int lanes, int laneBytes) throws IOException {
    LogLayout layout = new LogLayout(lanes, laneBytes, 64, 1, 0);
    return LogFile.open(logs.resolve(name), layout, Persistence.EMULATED, Durability.POWER_FAIL);
  }

  private LogEngine engine(LogFile log, Disk disk) {
    return engine(log, disk, Propagation.ON_WRITE);
  }

  private LogEngine engine(LogFile log, Disk disk, Propagation propagation) {
    LogSettings settings =
        new LogSettings(
            List.of(files),
            logs.resolve("orphans"),
            true,
            TIMEOUT_NANOS,
            propagation,
            LogSettings.DEFAULT_BATCH_RECORDS);
    return new LogEngine(log, log.layout(), disk, settings, System::currentTimeMillis);
  }

  private static LoggedFile open(LogEngine engine, Path path, Object key) throws IOException {
    engine.names().lock();
    try {
      return engine.open(path, key, true);
    } finally {
      engine.names().unlock();
    }
  }

  private static ByteBuffer block() {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    SplittableRandom random = new SplittableRandom(1);
    while (block.hasRemaining()) {
      block.putLong(random.nextLong());
    }
    return block.flip();
  }

  /** Returns the least time of logged writes to no disk by that of copies that are written back. */
  double appendRatio() throws IOException {
    int laneBytes = 64 << 20;
    try (LogFile log = newLog("append", 1, laneBytes);
        LogFile copies = newLog("copy", 1, laneBytes)) {
      LogEngine engine = engine(log, new NoDisk());
      LoggedFile file = open(engine, files.resolve("none"), "none");
      LogRegion target = copies.lane(0);
      ByteBuffer[] blocks = {block()};
      long leastAppended = Long.MAX_VALUE;
      long leastCopied = Long.MAX_VALUE;
      int at = 0;
      for (int round = 0; round < 2 * ROUNDS; round++) {
        long began = System.nanoTime();
        for (int i = 0; i < APPENDS_A_ROUND; i++) {
          blocks[0].clear();
          file.write(blocks, 0, 1, (long) i * BLOCK_BYTES);
        }
        long appended = System.nanoTime();
        engine.drainTo(engine.lastSeq());
        blocks[0].clear();
        long copying = System.nanoTime();
        for (int i = 0; i < APPENDS_A_ROUND; i++) {
          target.put(at, blocks[0], 0, BLOCK_BYTES);
          target.persist(at, BLOCK_BYTES);
          at = at + 2 * BLOCK_BYTES > laneBytes ? 0 : at + BLOCK_BYTES;
        }
        long copied = System.nanoTime();
        if (round >= ROUNDS) { // The rounds before were to compile.
          leastAppended = Math.min(leastAppended, appended - began);
          leastCopied = Math.min(leastCopied, copied - copying);
        }
      }
      return (double) leastAppended / leastCopied;
    }
  }

  /** Returns the time of a synced write by that of a logged one, of random blocks of a file. */
  double speedupOverForce(int writes, Propagation propagation) throws IOException {
    Path synced = files.resolve("synced");
    Path logged = files.resolve("logged");
    fill(synced, FILE_BYTES);
    fill(logged, FILE_BYTES);
    SplittableRandom random = new SplittableRandom(2);
    ByteBuffer[] blocks = {block()};
    double[] forceNanos = new double[writes];
    double[] logNanos = new double[writes];
    try (LogFile log = newLog("speedup-" + propagation, 4, 64 << 20);
        FileChannel channel = FileChannel.open(synced, StandardOpenOption.WRITE)) {
      LogEngine engine = engine(log, new PlatformDisk(), propagation);
      LoggedFile file =
          open(engine, logged, Files.readAttributes(logged, BasicFileAttributes.class).fileKey());
      for (int i = 0; i < writes; i++) {
        long position = random.nextLong(FILE_BYTES / BLOCK_BYTES) * BLOCK_BYTES;
        blocks[0].clear();
        long began = System.nanoTime();
        channel.write(blocks[0], position);
        channel.force(false);
        long forced = System.nanoTime();
        blocks[0].clear();
        long logging = System.nanoTime();
        file.write(blocks, 0, 1, position);
        logNanos[i] = System.nanoTime() - logging;
        forceNanos[i] = forced - began;
      }
      engine.drainTo(engine.lastSeq());
    }
    return median(forceNanos) / median(logNanos);
  }

  /** Returns how long a GiB of pending 4 KiB writes takes to recover. */
  double recoverySecondsPerGib() throws IOException {
    Path path = files.resolve("recovered");
    fill(path, FILE_BYTES);
    Disk disk = new PlatformDisk();
    try (LogFile log = newLog("recovery", 1, (int) RECOVERED_BYTES + (64 << 20))) {
      // Nothing is in the file before the recovery.
      LogEngine engine = engine(log, disk, Propagation.DEFERRED);
      LoggedFile file =
          open(engine, path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
      SplittableRandom random = new SplittableRandom(3);
      ByteBuffer[] blocks = {block()};
      // Nothing drains this engine, so the log is as after a crash.
      for (long left = RECOVERED_BYTES; left > 0; left -= BLOCK_BYTES) {
        blocks[0].clear();
        file.write(blocks, 0, 1, random.nextLong(FILE_BYTES / BLOCK_BYTES) * BLOCK_BYTES);
      }
      long bytes = engine.payloadBytes();
      long began = System.nanoTime();
      long replayed =
          new Recovery(log, log.layout(), disk, engine.settings(), System::currentTimeMillis)
              .run(false)
              .bytes();
      double seconds = (System.nanoTime() - began) / 1e9;
      if (replayed != bytes) {
        throw new IOException("a recovery replayed " + replayed + " of " + bytes + " bytes");
      }
      return seconds * (1L << 30) / bytes;
    }
  }

  /**
   * Returns the speed of writes to a full log by that of its disk, which takes batches of the same
   * length, in the order of their places, and syncs each. Both have random 4 KiB of one file.
   */
  double saturatedRatio(int logMebibytes, long fileBytes, long nanos) throws IOException {
    Path path = files.resolve("saturated");
    if (!Files.exists(path)) {
      fill(path, fileBytes);
    }
    long blocks = fileBytes / BLOCK_BYTES;
    Drained logged = saturated(path, blocks, nanos, logMebibytes);
    return logged.blocksPerSecond() / rawDrain(path, blocks, nanos, logged.batch());
  }

  /** What a full log took, and in how long batches. */
  private record Drained(double blocksPerSecond, int batch) {}

  /** Returns the blocks per second that the disk takes. */
  private static double rawDrain(Path path, long fileBlocks, long nanos, int batch)
      throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    ByteBuffer block = block();
    long[] places = new long[batch];
    long blocks = 0;
    long began = System.nanoTime();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      while (System.nanoTime() - began < nanos) {
        for (int i = 0; i < places.length; i++) {
          places[i] = random.nextLong(fileBlocks) * BLOCK_BYTES;
        }
        Arrays.sort(places);
        long last = -1;
        for (long place : places) {
          if (place != last) {
            channel.write(block.clear(), place);
            last = place;
          }
        }
        channel.force(false);
        blocks += places.length;
      }
    }
    return blocks * 1e9 / (System.nanoTime() - began);
  }

  /** Measures what a full log takes, from the end of a round to another's. */
  private Drained saturated(Path path, long fileBlocks, long nanos, int logMebibytes)
      throws IOException {
    try (LogFile log = newLog("saturated" + logMebibytes, 1, logMebibytes << 20)) {
      LogEngine engine = engine(log, new PlatformDisk(), Propagation.DEFERRED);
      LoggedFile file =
          open(engine, path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
      BackgroundThread drain =
          new BackgroundThread("log-bench", BACKGROUND_NANOS, engine::drainPending);
      engine.onWork(drain::wake);
      drain.start();
      try {
        SplittableRandom random = new SplittableRandom(5);
        ByteBuffer[] blocks = {block()};
        while (engine.waits() == 0) {
          write(file, blocks, random, fileBlocks);
        }
        awaitRound(engine, file, blocks, random, fileBlocks);
        long began = System.nanoTime();
        long drained = engine.drainedSeq();
        long rounds = engine.drainFigures().rounds();
        while (System.nanoTime() - began < nanos) {
          awaitRound(engine, file, blocks, random, fileBlocks);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        long taken = engine.drainedSeq() - drained;
        long batch = taken / Math.max(1, engine.drainFigures().rounds() - rounds);
        return new Drained(taken / seconds, (int) Math.max(1, batch));
      } finally {
        drain.end();
        boolean unused = drain.awaitEnd(TIMEOUT_NANOS);
      }
    } finally {
      Files.delete(logs.resolve("saturated" + logMebibytes)); // It may be most of the memory.
    }
  }

  private static void awaitRound(
      LogEngine engine,
      LoggedFile file,
      ByteBuffer[] blocks,
      SplittableRandom random,
      long fileBlocks)
      throws IOException {
    long drained = engine.drainedSeq();
    while (engine.drainedSeq() == drained) {
      write(file, blocks, random, fileBlocks);
    }
  }

  private static void write(
      LoggedFile file, ByteBuffer[] blocks, SplittableRandom random, long fileBlocks)
      throws IOException {
    blocks[0].clear();
    file.write(blocks, 0, 1, random.nextLong(fileBlocks) * BLOCK_BYTES);
  }

  private static void fill(Path path, long length) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
      for (long at = 0; at < length; ) {
        at += channel.write(bytes.clear(), at);
      }
      channel.force(true);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  @Override
  public void close() throws IOException {
    deleteAll(logs);
    deleteAll(files);
  }

  /** Deletes a directory and all below it. */
  static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> entries = Files.walk(directory)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    }
  }
}
