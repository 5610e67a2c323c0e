// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.restart.RestartBench.Stop;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.RecordLine;
import io.nvcache.bench.sample.ResidentMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The program of a forked JVM: one that fills a cache and ends or waits to be killed, or one that
 * opens what the other left. Records go to the standard output.
 */
final class RestartFork {
  static final String FILL = "fill";
  static final String RESTART = "restart";

  /** Record names between the forks and their parent. */
  static final String FILLED_BLOCKS = "filled_blocks";

  static final String RESTORED_BLOCKS = "restored_blocks";

  private static final int SAMPLED_BLOCKS = 20_000;
  private static final int WARM_UP_BLOCKS = 2_000;
  private static final int WARM_UP_READS = 60_000;
  private static final int READS_BETWEEN_LOOKS = 16;
  private static final long LEAST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long MOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(30);
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final RestartRun run;
  private final Emitter out;
  private final ByteBuffer buffer;
  private final SplittableRandom random = new SplittableRandom(1);
  private long wrongBlocks;

  private RestartFork(RestartRun run, Emitter out) {
    this.run = run;
    this.out = out;
    this.buffer = ByteBuffer.allocateDirect(run.blockBytes());
  }

  /** Runs what the arguments say. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> words = List.of(arguments);
    RestartRun run = RestartRun.parse(words.subList(1, words.size()));
    Emitter out =
        new Emitter(
            Map.of(),
            record -> {
              System.out.println(RecordLine.write(record));
              System.out.flush();
            });
    RestartFork fork = new RestartFork(run, out);
    if (words.get(0).equals(FILL)) {
      fork.fill();
    } else {
      fork.restart();
    }
    System.out.flush();
    // HBase leaves threads behind that would keep the JVM running.
    Runtime.getRuntime().halt(0);
  }

  private void fill() throws InterruptedException {
    try (RestartedCache cache = run.open()) {
      fill(cache, run.blocks());
      cache.settle();
      out.value(FILLED_BLOCKS, (double) cache.blocks(), "blocks");
      while (run.stop() == Stop.KILL) {
        Thread.sleep(1000);
      }
    }
  }

  private void fill(RestartedCache cache, int blocks) {
    for (int block = 0; block < blocks; block++) {
      cache.put(block, Contender.stamped(buffer.clear(), block));
    }
  }

  private void restart() throws IOException {
    warmUp();
    long began = System.nanoTime();
    long cpuAtFirst = processNanos();
    try (RestartedCache cache = run.open()) {
      out.value("open_ms", millisSince(began), "ms");
      long ownCpu = THREADS.getCurrentThreadCpuTime();
      while (!hits(cache)) {
        refuseToWaitForEver(began);
      }
      out.value("first_hit_ms", millisSince(began), "ms");
      Histogram during = new Histogram(3);
      while (!cache.isRestored()) {
        read(cache, during);
        refuseToWaitForEver(began);
      }
      long took = System.nanoTime() - began;
      long readingCpu = THREADS.getCurrentThreadCpuTime() - ownCpu;
      long cpu = processNanos() - cpuAtFirst - readingCpu;
      long restored = cache.blocks();
      out.value("restart_seconds", took / 1e9, "s");
      out.value("restart_us_per_block", took / 1e3 / restored, "us");
      out.value("restore_cpu_ns_per_block", (double) cpu / restored, "ns");
      out.value(RESTORED_BLOCKS, (double) restored, "blocks");
      long peak = peakBytes();
      Histogram after = new Histogram(3);
      long until =
          System.nanoTime() + Math.max(LEAST_AFTER_NANOS, Math.min(MOST_AFTER_NANOS, took));
      while (System.nanoTime() < until) {
        read(cache, after);
      }
      if (during.getTotalCount() > 100) { // Of fewer, the 99th percentile is the worst.
        double p99 = during.getValueAtPercentile(99);
        out.value("restoring_hit_p99_us", p99 / 1e3, "us");
        out.value("hit_p99_us", after.getValueAtPercentile(99) / 1e3, "us");
        out.value("hit_p99_ratio_to_after", p99 / after.getValueAtPercentile(99), "ratio");
      }
      out.value(
          "dram_peak_ratio_to_after",
          (double) peak / ResidentMemory.read().residentBytes(),
          "ratio");
      int found = 0;
      for (int i = 0; i < SAMPLED_BLOCKS; i++) {
        found += hits(cache) ? 1 : 0;
      }
      out.value("found_ratio", (double) found / SAMPLED_BLOCKS, "ratio");
      out.value("wrong_blocks", (double) wrongBlocks, "blocks");
    }
  }

  /**
   * Has the code of reads compiled, and not the code of restoring: that comes cold in life as well.
   */
  private void warmUp() throws IOException {
    Path directory = Files.createDirectory(run.directory().resolve("warm-up"));
    RestartRun small =
        new RestartRun(
            run.engine(), Stop.CLEAN, WARM_UP_BLOCKS, run.blockBytes(), false, directory);
    try (RestartedCache cache = small.open()) {
      fill(cache, WARM_UP_BLOCKS);
      for (int i = 0; i < WARM_UP_READS; i++) {
        cache.get(random.nextInt(WARM_UP_BLOCKS), buffer);
      }
    }
  }

  private void read(RestartedCache cache, Histogram latencies) {
    for (int i = 0; i < READS_BETWEEN_LOOKS; i++) {
      long began = System.nanoTime();
      if (hits(cache)) {
        latencies.recordValue(System.nanoTime() - began);
      }
    }
  }

  /** Looks a block up whose bytes were not dropped. */
  private boolean hits(RestartedCache cache) {
    int block = random.nextInt(cache.firstReadable(), run.blocks());
    if (!cache.get(block, buffer)) {
      return false;
    }
    long stamp = Contender.stamp(block);
    if (buffer.getLong(0) != stamp || buffer.getLong(run.blockBytes() - 64) != stamp) {
      wrongBlocks++;
    }
    return true;
  }

  private static void refuseToWaitForEver(long began) {
    if (System.nanoTime() - began > MOST_NANOS) {
      throw new IllegalStateException("not restored in " + MOST_NANOS / 1_000_000_000 + " s");
    }
  }

  private static double millisSince(long began) {
    return (System.nanoTime() - began) / 1e6;
  }

  private static long processNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long peakBytes() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException(STATUS + " names no peak of resident memory");
  }
}
