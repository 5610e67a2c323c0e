// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.BlockCache;
import io.nvcache.Rewrite;
import io.nvcache.background.DaemonThread;
import io.nvcache.host.CarryingThread;
import io.nvcache.host.ReasonCounts;
import java.nio.ByteBuffer;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the heat of compactions after their commit, of one compaction after the other: however
 * many regions are compacted, {@linkplain CarryingThread one thread} reads their blocks, and where
 * reads take long, as from a store far away do, some more share its work. What is dropped is
 * counted. Thread-safe.
 */
final class CompactionHeat implements AutoCloseable {
  private static final int IDLE_SECONDS = 10;

  /**
   * With blocks of 64 KiB that take 10 ms each, sixteen read 100 MiB/s: the most at which HBase
   * lets compactions themselves run by default (hbase.hstore.compaction.throughput.higher.bound).
   * What they read they also copy, and those who are served wait for the same processors.
   */
  static final int MOST_READERS = Math.min(16, 2 * Runtime.getRuntime().availableProcessors());

  /** More threads help where most of a read is waiting: from memory it takes 1/10 of this. */
  static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * So many reads in a row must be slow. One that is slow alone waited for a processor, as it often
   * is where readers and compactions keep them all busy: more threads would wait with it.
   */
  static final int SLOW_READS = 8;

  private final BlockCache cache;
  private final HeldBlocks.Memory memory;
  private final ReasonCounts<HeatDrop> drops;
  private final BooleanSupplier goesOn;
  private final LongSupplier nanoTime;
  private final CarryingThread first;
  private final ThreadPoolExecutor others =
      new ThreadPoolExecutor(
          0,
          MOST_READERS - 1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          DaemonThread.named("nvcache-compaction-heat-more"),
          new ThreadPoolExecutor.DiscardPolicy()); // The first thread does without.

  /** Compactions that wait or are carried, once for each thread at it; guarded by this object. */
  private int underWay;

  /**
   * Begins without compactions.
   *
   * @param heldBytes of heap that may be taken by written blocks until they are carried
   * @param drops counts the compactions that are dropped
   * @param goesOn returns whether heat is carried; asked before each block
   */
  CompactionHeat(
      BlockCache cache,
      long heldBytes,
      ReasonCounts<HeatDrop> drops,
      BooleanSupplier goesOn,
      LongSupplier nanoTime) {
    this.cache = cache;
    this.memory = new HeldBlocks.Memory(heldBytes);
    this.drops = drops;
    this.goesOn = goesOn;
    this.nanoTime = nanoTime;
    this.first = new CarryingThread(() -> drops.count(HeatDrop.HEAT_QUEUE_FULL));
  }

  /** Returns what written blocks may be held in. */
  HeldBlocks.Memory memory() {
    return memory;
  }

  /** Has the hot outputs of a compaction cached, whose inputs are invalidated. */
  void carry(Rewrite rewrite, CarriedBlocks outputs) {
    begun();
    Carrying carrying = new Carrying(rewrite, outputs);
    first.execute(carrying, carrying::drop);
  }

  private synchronized void begun() {
    underWay++;
  }

  private synchronized void ended() {
    underWay--;
    notifyAll();
  }

  /** Waits until no compaction waits or is carried. */
  synchronized void await() throws InterruptedException {
    while (underWay > 0) {
      wait();
    }
  }

  /**
   * Drops what waits. What is being carried ends by itself, with the next block that it asks for.
   */
  void turnedOff() {
    for (int dropped = first.dropWaiting(); dropped > 0; dropped--) {
      drops.count(HeatDrop.HEAT_TURNED_OFF);
    }
  }

  /** One compaction, as the first thread sees it. */
  private final class Carrying implements Runnable {
    private final Rewrite rewrite;
    private final CarriedBlocks outputs;
    private final AtomicBoolean cutShort = new AtomicBoolean();

    Carrying(Rewrite rewrite, CarriedBlocks outputs) {
      this.rewrite = rewrite;
      this.outputs = outputs;
    }

    @Override
    public void run() {
      try {
        carry(new Timed(this));
      } finally {
        ended();
      }
    }

    /** Is called instead of {@link #run}. */
    void drop() {
      outputs.drop();
      ended();
    }

    private void carry(Rewrite.OutputReader reader) {
      outputs.begin();
      try {
        rewrite.carry(
            (fileId, offset, lengthBytes) ->
                goesOn() ? reader.read(fileId, offset, lengthBytes) : null);
      } finally {
        outputs.end();
        outputs.gone().forEach(cache::invalidateFile);
      }
    }

    private boolean goesOn() {
      boolean on = goesOn.getAsBoolean();
      if (!on && cutShort.compareAndSet(false, true)) {
        drops.count(HeatDrop.HEAT_TURNED_OFF);
      }
      return on;
    }

    private void help() {
      begun();
      try {
        carry(outputs.reader());
      } finally {
        ended();
      }
    }

    void callOthers() {
      for (int i = 1; i < MOST_READERS; i++) {
        others.execute(this::help);
      }
    }
  }

  /** Calls the other threads once its reads turn out to be slow. */
  private final class Timed implements Rewrite.OutputReader {
    private final Carrying carrying;
    private final CarriedBlocks.Reader reader;
    private int slowInARow;
    private boolean hasCalled;

    Timed(Carrying carrying) {
      this.carrying = carrying;
      this.reader = carrying.outputs.reader();
    }

    @Override
    public @Nullable ByteBuffer read(long fileId, long offset, int lengthBytes) {
      if (hasCalled) {
        return reader.read(fileId, offset, lengthBytes);
      }
      long begin = nanoTime.getAsLong();
      ByteBuffer block = reader.read(fileId, offset, lengthBytes);
      long end = nanoTime.getAsLong();
      if (reader.hasReadHeld()) {
        return block;
      }
      slowInARow = end - begin < SLOW_NANOS ? 0 : slowInARow + 1;
      if (slowInARow == SLOW_READS) {
        hasCalled = true;
        carrying.callOthers();
      }
      return block;
    }
  }

  /** Lets blocks that are being read end: an interrupt could close the file for all who read it. */
  @Override
  public void close() {
    first.close(); // The counts are gone with the cache.
    others.shutdown();
  }
}
