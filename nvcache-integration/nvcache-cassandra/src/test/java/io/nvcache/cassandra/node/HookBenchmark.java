// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.util.ChannelProxy;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.FileHandle;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One read of Cassandra's {@code ChannelProxy}, of a file that the page cache holds: the dearest
 * case for the cache, since what it saves is cheap. Runs with the agent and without it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HookBenchmark {
  /** About what a chunk of 16 KiB is after LZ4. */
  private static final int CHUNK_BYTES = 11 << 10;

  private static final int SMALL_READ_BYTES = 64;
  private static final int FILE_BYTES = 96 << 20;

  /** What fits in the cache many times over. */
  private static final int HOT_CHUNKS = 512;

  private static final String AGENT = "nvcache.it.agent.on";

  /** Which of the hook's ways is measured. */
  public enum Way {
    /** A small read of a file that is not cached. */
    UNTAGGED,
    /** A read of a chunk that is cached. */
    HIT,
    /** A read of a chunk that is not cached, and is cached then, for which another gives way. */
    MISS
  }

  /** The way of this run. */
  @Param public Way way;

  private Path directory;
  private FileHandle handle;
  private ChannelProxy channel;
  private ByteBuffer buffer;
  private SplittableRandom random;
  private int chunks;
  private long missesBefore;

  /** Opens the file as Cassandra does and waits for the cache, if there is an agent. */
  @Setup
  public void open() throws Exception {
    DatabaseDescriptor.daemonInitialization();
    directory = Files.createTempDirectory("hook");
    Path table = directory.resolve("ks").resolve("t-5a1c395ec76e11eda2a9b1b3a1b0d6f5");
    Files.createDirectories(table);
    Path file = table.resolve(way == Way.UNTAGGED ? "nb-1-big-Statistics.db" : "nb-1-big-Data.db");
    byte[] bytes = new byte[1 << 20];
    new SplittableRandom(1).nextBytes(bytes);
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      for (int written = 0; written < FILE_BYTES; written += bytes.length) {
        out.write(bytes);
      }
    }
    handle = new FileHandle.Builder(new File(file)).bufferSize(1 << 14).complete();
    channel = handle.channel;
    buffer = ByteBuffer.allocateDirect(way == Way.UNTAGGED ? SMALL_READ_BYTES : CHUNK_BYTES);
    random = new SplittableRandom(2);
    chunks = way == Way.MISS ? FILE_BYTES / CHUNK_BYTES : HOT_CHUNKS;
    if (way != Way.UNTAGGED && Boolean.getBoolean(AGENT)) {
      awaitServing();
    }
    if (way == Way.HIT) {
      readEach();
    }
  }

  /** So that a slow machine, on which few reads are measured, has no more misses among them. */
  private void readEach() throws Exception {
    for (int chunk = 0; chunk < chunks; chunk++) {
      read(chunk);
    }
    TimeUnit.MILLISECONDS.sleep(200); // The counts are a snapshot of up to 100 ms ago.
    missesBefore = Boolean.getBoolean(AGENT) ? count("Misses") : 0;
  }

  private static long count(String name) throws Exception {
    Object value =
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(new ObjectName(NodeJmx.CACHE), name);
    return ((Number) value).longValue();
  }

  private static void awaitServing() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("org.apache.cassandra.db:type=NVCache");
    while (!beans.isRegistered(name) || !beans.getAttribute(name, "State").equals("SERVING")) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /**
   * What the reads of an iteration cost: processor time of the reading thread, since what else the
   * machine does would drown a difference of nanoseconds on the clock.
   */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Cost {
    /** Reads so far. */
    public long reads;

    /** Nanoseconds of processor time that they took. */
    public long cpuNanos;

    private long readsNow;
    private long cpuBefore;

    /** Begins to count. */
    @Setup(Level.Iteration)
    public void begin() {
      readsNow = 0;
      cpuBefore = cpuOfThread();
    }

    /** Shows the counts to JMH, which sets its fields to 0 when it likes to. */
    @TearDown(Level.Iteration)
    public void end() {
      cpuNanos = cpuOfThread() - cpuBefore;
      reads = readsNow;
    }

    private static long cpuOfThread() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
  }

  /** One read. */
  @Benchmark
  public int read(Cost cost) {
    cost.readsNow++;
    return read(random.nextInt(chunks));
  }

  private int read(int chunk) {
    buffer.clear();
    return channel.read(buffer, (long) chunk * CHUNK_BYTES);
  }

  /** Closes the file and, with the agent, checks that the run was of the way it claims. */
  @TearDown
  public void close() throws Exception {
    try {
      if (Boolean.getBoolean(AGENT)) {
        check();
      }
    } finally {
      handle.close();
      delete();
    }
  }

  private void check() throws Exception {
    switch (way) {
      case UNTAGGED ->
          require(
              !ManagementFactory.getPlatformMBeanServer()
                  .isRegistered(new ObjectName(NodeJmx.CACHE)));
      case HIT -> require(count("Hits") > 0 && count("Misses") == missesBefore);
      case MISS -> require(count("Hits") < count("Misses"));
    }
  }

  private void require(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("this was no run of " + way);
    }
  }

  private void delete() throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
