// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import io.nvcache.background.BackgroundThread;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.crash.ForwardingDisk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Measures random 4 KiB writes of one file through a log that is full, in turns with a raw drain:
 * that writes as many blocks in as many batches, one sync each, and does nothing else.
 */
final class FullLogBench {
  private static final int BLOCK_BYTES = BenchLogs.BLOCK_BYTES;
  private static final int SOURCE_BYTES = 64 << 20;

  /** Of a run. The disk is not always as fast; a turn has some rounds of the drain. */
  private static final int TURNS = 4;

  /** Which block of the file a program writes next. */
  enum Order {
    /** Each once before any again, so that the log holds none twice. */
    ONCE {
      @Override
      IntSupplier places(int blocks) {
        return new Lap(blocks);
      }
    },

    /** Any, so that some are written again while the log still holds them. */
    ANY {
      @Override
      IntSupplier places(int blocks) {
        SplittableRandom random = new SplittableRandom(5);
        return () -> random.nextInt(blocks);
      }
    };

    abstract IntSupplier places(int blocks);
  }

  /**
   * What a full log took.
   *
   * @param writesPerSecond of the program
   * @param writesPerSecondBefore the log was full
   * @param blocksPerSecond that went to the disk
   * @param rawBlocksPerSecond that a raw drain brought there
   */
  record Taken(
      double writesPerSecond,
      double writesPerSecondBefore,
      double blocksPerSecond,
      double rawBlocksPerSecond) {
    /** Returns how many writes one block on the disk represents. */
    double writesPerBlock() {
      return writesPerSecond / blocksPerSecond;
    }

    /** Returns the one of which half the others wrote less. */
    static Taken median(List<Taken> runs) {
      return runs.stream()
          .sorted(Comparator.comparingDouble(Taken::writesPerSecond))
          .toList()
          .get(runs.size() / 2);
    }

    /** Returns the blocks per second of all runs, by the raw drains' between. */
    static double ratioToRawDrain(List<Taken> runs) {
      return runs.stream().mapToDouble(Taken::blocksPerSecond).sum()
          / runs.stream().mapToDouble(Taken::rawBlocksPerSecond).sum();
    }
  }

  private final BenchLogs logs;
  private final Path path;
  private final int fileBlocks;
  private final Order order;
  private final long nanos;

  /**
   * Makes a benchmark.
   *
   * @param fileBytes of the file that is written; {@link Order#ONCE} needs more than a log has
   * @param nanos of each run, and as long again for its raw drains
   */
  FullLogBench(BenchLogs logs, Order order, long fileBytes, long nanos) throws IOException {
    this.logs = logs;
    this.path = logs.fill("saturated", fileBytes);
    this.fileBlocks = (int) (fileBytes / BLOCK_BYTES);
    this.order = order;
    this.nanos = nanos;
  }

  /** Measures its own log, from the end of a round of its drain to another's. */
  Taken run(int logMebibytes, int batchRecords) throws IOException {
    CountingDisk disk = new CountingDisk();
    try (LogFile log = logs.newLog("saturated", 1, logMebibytes << 20);
        RawDrain raw = new RawDrain(path, fileBlocks)) {
      LogEngine engine = logs.engine(log, disk, Propagation.DEFERRED, batchRecords);
      LoggedFile file = BenchLogs.open(engine, path);
      IntSupplier places = order.places(fileBlocks);
      ByteBuffer[] blocks = {BenchLogs.block()};
      Turns.Step write =
          () -> {
            blocks[0].clear();
            file.write(blocks, 0, 1, (long) places.getAsInt() * BLOCK_BYTES);
          };
      Turn turn = new Turn(engine, write);
      // Ends after a round: what is left in the log is of no use.
      BackgroundThread drain = BenchLogs.background(engine, turn);
      try {
        double before = turn.fill();
        turn.take(0);
        long drained = engine.drainedSeq();
        disk.takeBlocks();
        long logged = 0;
        long ofRaw = 0;
        long written = 0;
        for (int i = 0; i < TURNS; i++) {
          long rounds = engine.stats().drains();
          logged += turn.take(nanos / TURNS);
          long drainedBlocks = disk.takeBlocks();
          ofRaw += raw.run(drainedBlocks, engine.stats().drains() - rounds);
          written += drainedBlocks;
        }
        return new Taken(
            (engine.drainedSeq() - drained) * 1e9 / logged,
            before,
            written * 1e9 / logged,
            written * 1e9 / ofRaw);
      } finally {
        turn.end();
        BenchLogs.end(drain);
      }
    } finally {
      logs.delete("saturated"); // It may be most of the memory.
    }
  }

  /** A program that writes, and next to it a drain that rests between turns. */
  private static final class Turn implements Runnable {
    private final LogEngine engine;
    private final Turns.Step write;
    private volatile boolean isOn = true;
    private volatile long began;
    private volatile long atLeastNanos = Long.MAX_VALUE;

    Turn(LogEngine engine, Turns.Step write) {
      this.engine = engine;
      this.write = write;
    }

    /** Drains, and ends the turn with the first round that is over after its time. */
    @Override
    public void run() {
      boolean goesOn = true;
      while (goesOn && isOn) {
        goesOn = engine.drain();
        if (goesOn && System.nanoTime() - began >= atLeastNanos) {
          isOn = false;
        }
      }
    }

    /** Returns the writes per second until the log was full. */
    double fill() throws IOException {
      long start = System.nanoTime();
      long full = start;
      while (engine.stats().waits() == 0) {
        full = System.nanoTime();
        write.run();
      }
      return (engine.lastSeq() - 1) * 1e9 / (full - start);
    }

    /** Writes for so long, ends with a round, and returns how long it took. */
    long take(long nanos) throws IOException {
      began = System.nanoTime();
      atLeastNanos = nanos;
      isOn = true;
      while (isOn) {
        write.run(); // Each has the drain go on, for the log is full.
      }
      return System.nanoTime() - began;
    }

    void end() {
      isOn = false;
    }
  }

  /** Brings blocks from memory to a file, in the order of their places, with a sync a batch. */
  private static final class RawDrain implements AutoCloseable {
    private final FileChannel channel;
    private final Lap lap;
    private final BitSet batch = new BitSet();

    /** As long as what a drain brings together, and as little in the processor's cache. */
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SOURCE_BYTES);

    private int next;

    RawDrain(Path path, int fileBlocks) throws IOException {
      this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
      this.lap = new Lap(fileBlocks);
      for (int i = 0; i < fileBlocks / 2; i++) {
        lap.getAsInt(); // Far from what the log brings to the disk.
      }
    }

    /** Returns how long so many different blocks take, in batches of one size. */
    long run(long blocks, long batches) throws IOException {
      long began = System.nanoTime();
      for (long i = 0; i < batches; i++) {
        write(blocks * (i + 1) / batches - blocks * i / batches);
      }
      return System.nanoTime() - began;
    }

    private void write(long blocks) throws IOException {
      batch.clear();
      for (long i = 0; i < blocks; i++) {
        batch.set(lap.getAsInt());
      }
      for (int i = batch.nextSetBit(0); i >= 0; i = batch.nextSetBit(i + 1)) {
        channel.write(memory.slice(next, BLOCK_BYTES), (long) i * BLOCK_BYTES);
        next = (next + BLOCK_BYTES) % SOURCE_BYTES;
      }
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** The blocks of a file in an order without a pattern, each once in a lap. */
  private static final class Lap implements IntSupplier {
    private static final int ODD = 0x9e3779b1;
    private static final int MIXES = 3;

    private final int blocks;
    private final int bits;
    private int next;

    Lap(int blocks) {
      this.blocks = blocks;
      this.bits = Math.max(2, Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1));
    }

    @Override
    public int getAsInt() {
      int at = next;
      next = next + 1 == blocks ? 0 : next + 1;
      do {
        at = mix(at);
      } while (at >= blocks);
      return at;
    }

    /** Maps the numbers of so many bits to themselves. */
    private int mix(int number) {
      int mixed = number;
      for (int i = 0; i < MIXES; i++) {
        mixed = (mixed * ODD + 1) & ((1 << bits) - 1);
        mixed ^= mixed >>> (bits / 2);
      }
      return mixed;
    }
  }

  /** The platform's, which counts what goes to it. */
  private static final class CountingDisk extends ForwardingDisk {
    private final AtomicLong bytes = new AtomicLong();

    CountingDisk() {
      super(new PlatformDisk());
    }

    /** Returns the blocks since the last call. */
    long takeBlocks() {
      return bytes.getAndSet(0) / BLOCK_BYTES;
    }

    @Override
    protected DiskFile wrap(Path path, DiskFile file) {
      return new ForwardingFile(file) {
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
          bytes.addAndGet(source.remaining());
          super.write(source, position);
        }
      };
    }
  }
}
