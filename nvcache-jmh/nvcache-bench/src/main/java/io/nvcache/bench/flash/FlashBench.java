// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.Medium;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Hits of a cache on flash, next to a loop of bare direct reads of the same file: each thread its
 * own channel and its own aligned buffer. Both sides take turns, the first one another in each
 * round, so that what else the machine does meets both. In the same way, batches of lookups by one
 * thread, next to as many lookups one after another, and hits during writes.
 */
public final class FlashBench {
  /** Of a batch, which one thread looks up. */
  private static final int BATCH_BLOCKS = 8;

  /** What the threads are called that help with batches where there is no io_uring. */
  private static final String HELPERS = "nvcache-reads";

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Settings settings;
  private final Progress progress;
  private final StopSignal stop;
  private long wrongBlocks;

  public FlashBench(Settings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Measures; what was not begun when a stop was asked for is left out. */
  public Measurements run() throws IOException {
    Measurements measured = new Measurements();
    Path file = file("hits");
    List<FileChannel> channels = new ArrayList<>();
    Medium medium = flash(file, settings.capacityBytes());
    long before = bytesWrittenToDevices();
    double deviceBytesRatio;
    try (FilledCache cache = fill(medium)) {
      deviceBytesRatio =
          (double) (bytesWrittenToDevices() - before) / cache.stats().admittedBytes();
      for (int threads : settings.threads()) {
        measure(cache, file, channels, threads, measured.with("threads", threads));
      }
      measureBatches(cache, measured);
      compareTwoFiles(cache, measured);
      measureDuringWrites(cache, measured);
      wrongBlocks += cache.wrongBlocks();
    } finally {
      // Not earlier: closing any channel of the file takes the cache's lock away.
      for (FileChannel channel : channels) {
        channel.close();
      }
    }
    if (before > 0) {
      measured.add("device_bytes_ratio_to_admitted", deviceBytesRatio, "ratio");
    }
    return measured.add("wrong_blocks", wrongBlocks, "blocks");
  }

  private void compareTwoFiles(FilledCache one, Measurements measured) throws IOException {
    if (stop.isRequested()) {
      return;
    }
    try (TwoFiles two =
        new TwoFiles(settings, List.of(file("two-0"), file("two-1")), progress, stop)) {
      two.compare(one, progress, stop, measured);
      if (!stop.isRequested()) {
        two.pull(measured);
      }
      wrongBlocks += two.wrongBlocks();
    }
  }

  private void measureDuringWrites(FilledCache cache, Measurements measured) throws IOException {
    if (stop.isRequested()) {
      return;
    }
    try (ReadsDuringWrites reads = new ReadsDuringWrites(settings, file("writes"))) {
      reads.compare(cache, progress, stop, measured);
    }
  }

  private Path file(String purpose) {
    return settings
        .directory()
        .resolve("nvcache-bench-" + purpose + "-" + ProcessHandle.current().pid());
  }

  private static Medium flash(Path file, long capacityBytes) throws IOException {
    return FlashMedium.create(file, capacityBytes, CloseAction.DELETE);
  }

  private FilledCache fill(Medium medium) throws IOException {
    return new FilledCache(medium, settings.blockBytes(), progress, stop);
  }

  /** Adds what hits cost next to bare reads. */
  private void measure(
      FilledCache cache, Path file, List<FileChannel> channels, int threads, Measurements out)
      throws IOException {
    int[] blocks = cache.blocks();
    long nanos = settings.turn().toNanos();
    try (Progress.Phase phase = progress.begin(threads + " threads", settings.rounds())) {
      Rounds<ReadTurn> rounds =
          Rounds.of(
              settings.rounds(),
              phase,
              stop,
              round -> ReadTurn.run(() -> bare(file, channels), threads, blocks, nanos, round),
              round -> ReadTurn.run(cache::reader, threads, blocks, nanos, round));
      out.add("direct_hit_cpu_ratio_to_pread", rounds.ratio(ReadTurn::cpuMicrosPerRead), "ratio")
          .add("direct_hits_ratio_to_pread", rounds.ratio(ReadTurn::readsPerSecond), "ratio")
          .add("direct_hit_p99_ratio_to_pread", rounds.ratio(ReadTurn::p99Micros), "ratio")
          .add("direct_hit_p99_us", rounds.cached(ReadTurn::p99Micros), "us")
          .add("pread_p99_us", rounds.bare(ReadTurn::p99Micros), "us")
          .add("direct_hit_cpu_us", rounds.cached(ReadTurn::cpuMicrosPerRead), "us")
          .add("pread_cpu_us", rounds.bare(ReadTurn::cpuMicrosPerRead), "us")
          .add("direct_hits_per_s", rounds.cached(ReadTurn::readsPerSecond), "1/s")
          .add("preads_per_s", rounds.bare(ReadTurn::readsPerSecond), "1/s")
          .add("direct_hit_garbage_bytes", rounds.cached(ReadTurn::garbagePerRead), "bytes");
    }
  }

  /** Adds what a batch of one thread costs next to as many lookups one after another. */
  private void measureBatches(FilledCache cache, Measurements measured) throws IOException {
    int[] blocks = cache.blocks();
    try (Progress.Phase phase = progress.begin("batches", settings.rounds())) {
      Rounds<ReadTurn> rounds =
          Rounds.of(
              settings.rounds(),
              phase,
              stop,
              round -> helpedTurn(() -> cache.sequence(BATCH_BLOCKS), blocks, round),
              round -> helpedTurn(() -> cache.batch(BATCH_BLOCKS), blocks, round));
      double garbage = BATCH_BLOCKS * rounds.cached(ReadTurn::garbagePerRead);
      measured
          .add("batch_rate_ratio_to_sequential", rounds.ratio(ReadTurn::readsPerSecond), "ratio")
          .add("batch_cpu_ratio_to_sequential", rounds.ratio(ReadTurn::cpuMicrosPerRead), "ratio")
          .add("batch_garbage_bytes", garbage, "bytes");
    }
  }

  /** Runs a turn of one thread, with the processor time of those that help it. */
  private ReadTurn helpedTurn(ReadTurn.ReaderMaker reader, int[] blocks, long seed)
      throws IOException {
    long before = helpersCpuNanos();
    return ReadTurn.run(reader, 1, blocks, settings.turn().toNanos(), seed)
        .withMoreCpu(helpersCpuNanos() - before);
  }

  /** Returns the processor time of the threads that help with batches. */
  private static long helpersCpuNanos() {
    return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().equals(HELPERS))
        .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getThreadId()))
        .filter(nanos -> nanos > 0) // It may have ended.
        .sum();
  }

  private ReadTurn.BlockReader bare(Path file, List<FileChannel> channels) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
    channels.add(channel);
    return bare(channel, settings.blockBytes());
  }

  static ReadTurn.BlockReader bare(FileChannel channel, int blockBytes) {
    ByteBuffer buffer = AlignedBuffers.of(blockBytes);
    return block -> {
      buffer.clear().limit(blockBytes);
      if (channel.read(buffer, (long) block * blockBytes) != blockBytes) {
        throw new IOException("a short read of block " + block);
      }
    };
  }

  /** What proc(5) has as write_bytes; 0 where the system does not tell. */
  private static long bytesWrittenToDevices() {
    try {
      return Files.readAllLines(Path.of("/proc/self/io")).stream()
          .filter(line -> line.startsWith("write_bytes: "))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * What to read, and how long.
   *
   * @param threads how many readers at once, in the order of the table
   * @param capacityBytes of the cache
   * @param blockBytes of each block
   * @param rounds how often either side has its turn
   * @param turn how long one takes
   * @param directory where the cache's file goes
   */
  public record Settings(
      List<Integer> threads,
      long capacityBytes,
      int blockBytes,
      int rounds,
      Duration turn,
      Path directory) {
    public Settings {
      threads = List.copyOf(threads);
    }
  }
}
