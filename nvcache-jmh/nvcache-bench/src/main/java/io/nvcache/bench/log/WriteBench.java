// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import com.sun.management.ThreadMXBean;
import io.nvcache.background.BackgroundThread;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.FileSource;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogRegion;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.recovery.Recovery;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** Measures writes of 4 KiB to a log with room, and reads next to it, by ratios within one run. */
final class WriteBench {
  private static final int BLOCK_BYTES = BenchLogs.BLOCK_BYTES;
  private static final int TURNS = 1000;
  private static final int CALLS = 50;
  private static final int SYNCED_CALLS = 20;
  private static final int LANE_BYTES = 64 << 20;
  private static final long FILE_BYTES = 64L << 20;
  private static final long RECOVERED_BYTES = 512L << 20;
  private static final int ALLOCATING_WRITES = 10_000;

  private final BenchLogs logs;
  private final SplittableRandom random = new SplittableRandom(2);

  /** A copy's bytes are published by it, as a log's are by its locks. */
  @SuppressWarnings("unused")
  private volatile int published;

  WriteBench(BenchLogs logs) {
    this.logs = logs;
  }

  private long place(long fileBytes) {
    return random.nextLong(fileBytes / BLOCK_BYTES) * BLOCK_BYTES;
  }

  private static Turns.Step write(LoggedFile file, PlaceOf place) {
    ByteBuffer[] blocks = {BenchLogs.block()};
    return () -> {
      blocks[0].clear();
      file.write(blocks, 0, 1, place.next());
    };
  }

  /** Says where the next block goes. */
  @FunctionalInterface
  private interface PlaceOf {
    long next();
  }

  private static void drain(LogEngine engine) throws IOException {
    engine.drainTo(engine.lastSeq());
  }

  /**
   * Returns the time of logged writes to no disk, by the time of copies that are written back. Each
   * is waited for: a copy that is not lets the next begin while its lines are on their way.
   */
  double appendRatio(Persistence persistence) throws IOException {
    try (LogFile log = logs.newLog("append", 1, LANE_BYTES, persistence);
        LogFile copies = logs.newLog("copy", 1, LANE_BYTES, persistence)) {
      LogEngine engine = logs.engine(log, new BenchLogs.NoDisk(), Propagation.ON_WRITE);
      LoggedFile file = BenchLogs.open(engine, logs.file("none"), "none");
      LogRegion target = copies.lane(0);
      ByteBuffer block = BenchLogs.block();
      int[] at = {0};
      double[] nanos =
          Turns.medians(
              TURNS,
              CALLS,
              () -> drain(engine),
              write(file, () -> place(FILE_BYTES)),
              () -> {
                target.put(at[0], block, 0, BLOCK_BYTES);
                target.persist(at[0], BLOCK_BYTES);
                published = at[0];
                at[0] = at[0] + 2 * BLOCK_BYTES > LANE_BYTES ? 0 : at[0] + BLOCK_BYTES;
              });
      return nanos[0] / nanos[1];
    } finally {
      logs.delete("append");
      logs.delete("copy");
    }
  }

  /**
   * Returns the time of a synced write by the time of a logged one, of random blocks of a file.
   *
   * @param writes how many synced ones are timed, at the least
   */
  double speedupOverForce(int writes, Propagation propagation) throws IOException {
    Path synced = logs.fill("synced", FILE_BYTES);
    Path logged = logs.fill("logged", FILE_BYTES);
    try (LogFile log = logs.newLog("speedup", 1, LANE_BYTES);
        FileChannel channel = FileChannel.open(synced, StandardOpenOption.WRITE)) {
      LogEngine engine = logs.engine(log, new PlatformDisk(), propagation);
      LoggedFile file = BenchLogs.open(engine, logged);
      Turns.Step write = write(file, () -> place(FILE_BYTES));
      warmUp(engine, write);
      ByteBuffer block = BenchLogs.block();
      for (long at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
        channel.write(block.clear(), at);
      }
      channel.force(false);
      double[] nanos =
          Turns.medians(
              (writes + SYNCED_CALLS - 1) / SYNCED_CALLS,
              SYNCED_CALLS,
              () -> {},
              () -> {
                channel.write(block.clear(), place(FILE_BYTES));
                channel.force(false);
              },
              write);
      drain(engine);
      return nanos[0] / nanos[1];
    } finally {
      logs.delete("speedup");
    }
  }

  /** Has each page of a lane be written once, as all are except in the first minutes of a log. */
  private static void warmUp(LogEngine engine, Turns.Step write) throws IOException {
    for (int i = 0; i < LANE_BYTES / BLOCK_BYTES; i++) {
      write.run();
      if (i % 4096 == 0) {
        drain(engine);
      }
    }
    drain(engine);
  }

  /**
   * Returns the time of a write that goes to the log and to the page cache, by the time of one to
   * the page cache plus one to the log alone.
   */
  double ratioToPlainWriteAndAppend() throws IOException {
    Path plain = logs.fill("synced", FILE_BYTES);
    Path logged = logs.fill("logged", FILE_BYTES);
    try (LogFile log = logs.newLog("bound", 1, LANE_BYTES);
        LogFile alone = logs.newLog("alone", 1, LANE_BYTES);
        FileChannel channel = FileChannel.open(plain, StandardOpenOption.WRITE)) {
      LogEngine engine = logs.engine(log, new PlatformDisk(), Propagation.ON_WRITE);
      LogEngine appends = logs.engine(alone, new BenchLogs.NoDisk(), Propagation.ON_WRITE);
      LoggedFile file = BenchLogs.open(engine, logged);
      LoggedFile none = BenchLogs.open(appends, logs.file("none"), "none");
      Turns.Step write = write(file, () -> place(FILE_BYTES));
      Turns.Step append = write(none, () -> place(FILE_BYTES));
      warmUp(engine, write);
      warmUp(appends, append);
      ByteBuffer block = BenchLogs.block();
      int[] turns = {0};
      double[] nanos =
          Turns.medians(
              TURNS / 4,
              CALLS,
              () -> {
                if (++turns[0] % 100 == 0) { // Before a log is full; each drain warms no cache.
                  drain(engine);
                  drain(appends);
                  channel.force(false);
                }
              },
              write,
              () -> channel.write(block.clear(), place(FILE_BYTES)),
              append);
      return nanos[0] / (nanos[1] + nanos[2]);
    } finally {
      logs.delete("bound");
      logs.delete("alone");
    }
  }

  /** Returns the bytes of garbage that a write makes. */
  double allocatedBytes(Propagation propagation) throws IOException {
    Path path = logs.fill("logged", FILE_BYTES);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (LogFile log = logs.newLog("allocated", 1, LANE_BYTES)) {
      LogEngine engine = logs.engine(log, new PlatformDisk(), propagation);
      LoggedFile file = BenchLogs.open(engine, path);
      Turns.Step write = write(file, () -> place(FILE_BYTES));
      warmUp(engine, write);
      long thread = Thread.currentThread().getId();
      long before = threads.getThreadAllocatedBytes(thread);
      long nothing = threads.getThreadAllocatedBytes(thread) - before;
      before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < ALLOCATING_WRITES; i++) {
        write.run();
      }
      long allocated = threads.getThreadAllocatedBytes(thread) - before - nothing;
      drain(engine);
      return (double) allocated / ALLOCATING_WRITES;
    } finally {
      logs.delete("allocated");
    }
  }

  /**
   * Returns the time of random writes that are each synced, by the time of as many to a log with
   * room for all, while it drains.
   *
   * @param synced how many are synced, to know what each takes
   */
  double burstSpeedup(int mebibytes, int synced) throws IOException {
    long bytes = (long) mebibytes << 20;
    Path path = logs.fill("burst", bytes);
    int writes = (int) (bytes / BLOCK_BYTES);
    double forced;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      ByteBuffer block = BenchLogs.block();
      long began = System.nanoTime();
      for (int i = 0; i < synced; i++) {
        channel.write(block.clear(), place(bytes));
        channel.force(false);
      }
      forced = (double) (System.nanoTime() - began) / synced;
    }
    int laneBytes = (int) Math.max(4 << 20, bytes / 2 + bytes / 8);
    try (LogFile log = logs.newLog("burst", 2, laneBytes)) {
      LogEngine engine = logs.engine(log, new PlatformDisk(), Propagation.DEFERRED);
      Turns.Step write = write(BenchLogs.open(engine, path), () -> place(bytes));
      BackgroundThread drain = BenchLogs.drainOf(engine);
      try {
        long began = System.nanoTime();
        for (int i = 0; i < writes; i++) {
          write.run();
        }
        double logged = (double) (System.nanoTime() - began) / writes;
        return forced / logged;
      } finally {
        BenchLogs.end(drain);
      }
    } finally {
      logs.delete("burst");
    }
  }

  /** Returns the time of a read of a file whose writes are drained, by the platform's time. */
  double drainedReadRatio() throws IOException {
    Path path = logs.fill("logged", FILE_BYTES);
    try (LogFile log = logs.newLog("reads", 1, LANE_BYTES);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      LogEngine engine = logs.engine(log, new PlatformDisk(), Propagation.DEFERRED);
      LoggedFile file = BenchLogs.open(engine, path);
      write(file, () -> place(FILE_BYTES)).run();
      drain(engine);
      FileSource source = channel::read;
      ByteBuffer target = ByteBuffer.allocateDirect(BLOCK_BYTES);
      double[] nanos =
          Turns.medians(
              TURNS,
              CALLS,
              () -> {},
              () -> file.read(target.clear(), place(FILE_BYTES), source),
              () -> channel.read(target.clear(), place(FILE_BYTES)));
      return nanos[0] / nanos[1];
    } finally {
      logs.delete("reads");
    }
  }

  /** Returns how long a GiB of pending 4 KiB writes takes to recover. */
  double recoverySecondsPerGib() throws IOException {
    Path path = logs.fill("logged", FILE_BYTES);
    Disk disk = new PlatformDisk();
    try (LogFile log = logs.newLog("recovery", 1, (int) RECOVERED_BYTES + LANE_BYTES)) {
      // Nothing is in the file before the recovery.
      LogEngine engine = logs.engine(log, disk, Propagation.DEFERRED);
      Turns.Step write = write(BenchLogs.open(engine, path), () -> place(FILE_BYTES));
      // Nothing drains this engine, so the log is as after a crash.
      for (long left = RECOVERED_BYTES; left > 0; left -= BLOCK_BYTES) {
        write.run();
      }
      long bytes = engine.stats().bytes();
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
    } finally {
      logs.delete("recovery");
    }
  }
}
