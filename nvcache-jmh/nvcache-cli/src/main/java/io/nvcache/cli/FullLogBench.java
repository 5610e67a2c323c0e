// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.background.BackgroundThread;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.log.DiskFile;
import io.nvcache.writelog.log.ForwardingDisk;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LogFile;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.PlatformDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Measures random 4 KiB writes of one file through a log that is full. */
final class FullLogBench {
  private static final int BLOCK_BYTES = BenchLogs.BLOCK_BYTES;
  private static final int SOURCE_BYTES = 64 << 20;

  /**
   * What a full log took.
   *
   * @param writesPerSecond of the program
   * @param writesPerSecondBefore the log was full
   * @param blocksPerSecond that went to the disk
   * @param blocksPerSync of them
   */
  record Taken(
      double writesPerSecond,
      double writesPerSecondBefore,
      double blocksPerSecond,
      double blocksPerSync) {
    /** Returns how many writes one block on the disk stands for. */
    double writesPerBlock() {
      return writesPerSecond / blocksPerSecond;
    }
  }

  /**
   * A log beside its disk.
   *
   * @param log the medians of some runs
   * @param ratioToRawDrain of the blocks per second of all, to those of raw drains between them
   */
  record Compared(Taken log, double ratioToRawDrain) {}

  private final BenchLogs logs;
  private final Path path;
  private final int fileBlocks;
  private final long nanos;

  /**
   * Makes a benchmark.
   *
   * @param nanos of each run
   */
  FullLogBench(BenchLogs logs, long fileBytes, long nanos) throws IOException {
    this.logs = logs;
    this.path = logs.fill("saturated", fileBytes);
    this.fileBlocks = (int) (fileBytes / BLOCK_BYTES);
    this.nanos = nanos;
  }

  /** Runs in turns with raw drains, for the disk is not always as fast. */
  Compared compare(int turns, int logMebibytes, int batchRecords) throws IOException {
    List<Taken> taken = new ArrayList<>();
    double logged = 0;
    double raw = 0;
    for (int turn = 0; turn < turns; turn++) {
      Taken one = run(logMebibytes, batchRecords);
      taken.add(one);
      logged += one.blocksPerSecond();
      raw += rawBlocksPerSecond((int) Math.round(one.blocksPerSync()));
    }
    taken.sort(Comparator.comparingDouble(Taken::writesPerSecond));
    return new Compared(taken.get(turns / 2), logged / raw);
  }

  /**
   * Returns the blocks per second that the disk takes of a drain that does nothing else: batches of
   * as many different blocks from memory, in the order of their places, with a sync for each.
   */
  private double rawBlocksPerSecond(int batch) throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    // As long as what a drain brings together, and as little in the processor's cache.
    ByteBuffer memory = ByteBuffer.allocateDirect(SOURCE_BYTES);
    int next = 0;
    BitSet places = new BitSet(fileBlocks);
    long blocks = 0;
    long began = System.nanoTime();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      while (System.nanoTime() - began < nanos) {
        places.clear();
        for (int left = Math.min(batch, fileBlocks / 2); left > 0; ) {
          int place = random.nextInt(fileBlocks);
          if (!places.get(place)) {
            places.set(place);
            left--;
          }
        }
        for (int i = places.nextSetBit(0); i >= 0; i = places.nextSetBit(i + 1)) {
          channel.write(memory.slice(next, BLOCK_BYTES), (long) i * BLOCK_BYTES);
          next = (next + BLOCK_BYTES) % SOURCE_BYTES;
          blocks++;
        }
        channel.force(false);
      }
    }
    return blocks * 1e9 / (System.nanoTime() - began);
  }

  /** Measures what a full log takes, from the end of a round of its drain to another's. */
  Taken run(int logMebibytes, int batchRecords) throws IOException {
    CountingDisk disk = new CountingDisk();
    try (LogFile log = logs.newLog("saturated", 1, logMebibytes << 20)) {
      LogEngine engine = logs.engine(log, disk, Propagation.DEFERRED, batchRecords);
      LoggedFile file = BenchLogs.open(engine, path);
      SplittableRandom random = new SplittableRandom(5);
      ByteBuffer[] blocks = {BenchLogs.block()};
      Turns.Step write =
          () -> {
            blocks[0].clear();
            file.write(blocks, 0, 1, (long) random.nextInt(fileBlocks) * BLOCK_BYTES);
          };
      AtomicBoolean ended = new AtomicBoolean();
      // Ends after a round: what is left in the log is of no use.
      BackgroundThread drain =
          BenchLogs.background(
              engine,
              () -> {
                boolean goesOn = true;
                while (goesOn && !ended.get()) {
                  goesOn = engine.drain();
                }
              });
      try {
        long started = System.nanoTime();
        long full = started;
        while (engine.waits() == 0) {
          full = System.nanoTime();
          write.run();
        }
        double before = (engine.lastSeq() - 1) * 1e9 / (full - started);
        awaitRound(engine, write);
        long began = System.nanoTime();
        long drained = engine.drainedSeq();
        long blocksBefore = disk.bytes.get() / BLOCK_BYTES;
        long syncs = disk.syncs.get();
        while (System.nanoTime() - began < nanos) {
          awaitRound(engine, write);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        double written = (double) disk.bytes.get() / BLOCK_BYTES - blocksBefore;
        return new Taken(
            (engine.drainedSeq() - drained) / seconds,
            before,
            written / seconds,
            written / Math.max(1, disk.syncs.get() - syncs));
      } finally {
        ended.set(true);
        BenchLogs.end(drain);
      }
    } finally {
      logs.delete("saturated"); // It may be most of the memory.
    }
  }

  private static void awaitRound(LogEngine engine, Turns.Step write) throws IOException {
    long drained = engine.drainedSeq();
    while (engine.drainedSeq() == drained) {
      write.run();
    }
  }

  /** The platform's, which counts what goes to it. */
  private static final class CountingDisk extends ForwardingDisk {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong syncs = new AtomicLong();

    CountingDisk() {
      super(new PlatformDisk());
    }

    @Override
    protected DiskFile wrap(Path path, DiskFile file) {
      return new ForwardingFile(file) {
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
          bytes.addAndGet(source.remaining());
          super.write(source, position);
        }

        @Override
        public void force() throws IOException {
          super.force();
          syncs.incrementAndGet();
        }
      };
    }
  }
}
