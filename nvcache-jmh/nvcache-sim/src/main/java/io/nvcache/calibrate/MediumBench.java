// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.Bench.Throughput;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * A medium under load. Readers read blocks at random places of its first half. Writers write to its
 * second as a cache does: blocks at random places, or chunks one behind the other where the medium
 * is written in regions. So none waits for another but on the medium.
 */
final class MediumBench implements Bench {
  /** What one read of a latency point fetches: Optane's line (SoCC '22, §2.1). */
  static final int SMALL_READ_BYTES = 256;

  private static final int FILL_BYTES = 1 << 20;

  /** What a cache writes to a region at once. */
  private static final int CHUNK_BYTES = 1 << 20;

  private static final long LONGEST_READ_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double P99 = 99;

  private final String label;
  private final Medium medium;
  private final int blockBytes;
  private final boolean inRegions;
  private final long halfBytes;

  /** For a medium of at least two blocks, and two more for each writer. */
  MediumBench(String label, Medium medium, int blockBytes) {
    this.label = label;
    this.medium = medium;
    this.blockBytes = blockBytes;
    this.inRegions = medium.regionBytes() > 0;
    this.halfBytes = medium.capacityBytes() / 2 / blockBytes * blockBytes;
  }

  /** Returns whether reads of a medium wait for a drive, so that timing each costs nothing. */
  static boolean isDrive(Medium medium) {
    return medium.path().isPresent() && medium.address(0, 1) == 0;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String describe() {
    return medium.describe();
  }

  @Override
  public void fill() throws IOException {
    ByteBuffer bytes = randomBytes(FILL_BYTES, 0);
    long capacityBytes = medium.capacityBytes();
    for (long at = 0; at < capacityBytes; at += FILL_BYTES) {
      medium.write(at, bytes, 0, (int) Math.min(FILL_BYTES, capacityBytes - at));
    }
  }

  /** Returns at least so many, in a buffer that needs no copy before it is written. */
  private ByteBuffer randomBytes(int length, long seed) {
    int alignment = medium.alignmentBytes();
    ByteBuffer bytes = ByteBuffer.allocateDirect(length + 2 * alignment).alignedSlice(alignment);
    SplittableRandom random = new SplittableRandom(seed);
    while (bytes.remaining() >= Long.BYTES) {
      bytes.putLong(random.nextLong());
    }
    return bytes.clear();
  }

  @Override
  public Throughput measure(Point point, long nanos) throws IOException, InterruptedException {
    List<LoadThread> readers = new ArrayList<>();
    List<Histogram> durations = new ArrayList<>();
    for (int i = 0; i < point.readers(); i++) {
      Histogram own = new Histogram(LONGEST_READ_NANOS, SIGNIFICANT_DIGITS);
      durations.add(own);
      readers.add(reader(i, own));
    }
    List<LoadThread> writers = writers(point.writers());
    List<LoadThread> all = new ArrayList<>(readers);
    all.addAll(writers);
    Throughput moved =
        LoadThread.run(
            all,
            nanos,
            seconds ->
                new Throughput(
                    LoadThread.movedBytes(readers) / seconds,
                    LoadThread.movedBytes(writers) / seconds));
    return new Throughput(
        moved.readBytesPerSecond(), moved.writeBytesPerSecond(), p99Nanos(durations));
  }

  /** NaN if no read was timed. */
  private static double p99Nanos(List<Histogram> durations) {
    Histogram all = new Histogram(LONGEST_READ_NANOS, SIGNIFICANT_DIGITS);
    durations.forEach(all::add);
    return all.getTotalCount() == 0 ? Double.NaN : all.getValueAtPercentile(P99);
  }

  @Override
  public void measureLatency(int writers, long nanos, Histogram durations)
      throws IOException, InterruptedException {
    ByteBuffer dst = ByteBuffer.allocateDirect(SMALL_READ_BYTES);
    SplittableRandom random = new SplittableRandom(writers);
    long places = halfBytes / SMALL_READ_BYTES;
    LoadThread reader =
        new LoadThread(
            SMALL_READ_BYTES,
            () -> {
              long offset = random.nextLong(places) * SMALL_READ_BYTES;
              long start = System.nanoTime();
              medium.read(offset, dst, SMALL_READ_BYTES);
              record(start, durations);
            });
    List<LoadThread> all = writers(writers);
    all.add(reader);
    LoadThread.run(all, nanos, seconds -> seconds);
  }

  private static void record(long startNanos, Histogram durations) {
    durations.recordValue(
        Math.min(System.nanoTime() - startNanos, durations.getHighestTrackableValue()));
  }

  private LoadThread reader(int number, Histogram durations) {
    ByteBuffer dst = ByteBuffer.allocateDirect(blockBytes);
    SplittableRandom random = new SplittableRandom(number);
    long blocks = halfBytes / blockBytes;
    LoadThread.Access read =
        () -> medium.read(random.nextLong(blocks) * blockBytes, dst, blockBytes);
    LoadThread.Access timed =
        () -> {
          long start = System.nanoTime();
          read.run();
          record(start, durations);
        };
    return new LoadThread(blockBytes, isDrive(medium) ? timed : read);
  }

  private List<LoadThread> writers(int writers) {
    List<LoadThread> threads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int bytes = inRegions ? CHUNK_BYTES : blockBytes;
      ByteBuffer src = randomBytes(bytes, i);
      // Each its own part, since two writes never overlap on a medium.
      long places = halfBytes / bytes / writers;
      long from = halfBytes + i * places * bytes;
      LongSupplier next = inRegions ? inTurn(places) : atRandom(places, ~i);
      threads.add(
          new LoadThread(
              bytes, () -> medium.write(from + next.getAsLong() * bytes, src, 0, bytes)));
    }
    return threads;
  }

  /** Gives one place after the other, and the first one again after the last. */
  private static LongSupplier inTurn(long places) {
    long[] last = {-1};
    return () -> last[0] = (last[0] + 1) % places;
  }

  private static LongSupplier atRandom(long places, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> random.nextLong(places);
  }
}
