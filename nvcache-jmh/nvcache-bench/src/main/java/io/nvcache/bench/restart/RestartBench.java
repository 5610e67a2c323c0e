// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.bench.sample.FileTree;
import io.nvcache.bench.sample.RecordLine;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Labelled;
import io.nvcache.report.Measurements;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Caches that one process fills and closes, or is killed with, and another one opens: how soon they
 * answer, how soon all is there, and how much of it. The process that opens reads all the time, by
 * one thread.
 */
public final class RestartBench {
  /** Of runs whose bytes are dropped. */
  private static final int LISTED_BLOCK_BYTES = 512;

  private static final int TAIL_LINES = 12;
  private static final int SIGKILL_EXIT = 128 + 9;

  private final Settings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final AtomicInteger started = new AtomicInteger();
  private volatile @Nullable Process running;

  public RestartBench(Settings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Measures; what was not begun when a stop was asked for is left out. */
  public Measurements run() throws IOException, InterruptedException {
    Thread hook = new Thread(this::killRunning);
    Runtime.getRuntime().addShutdownHook(hook);
    Measurements measured = new Measurements();
    for (Stop how : settings.stops()) {
      for (long blocks : settings.blocks()) {
        for (Engine engine : settings.engines()) {
          measure(engine, how, blocks, settings.blockBytes(), false, measured);
        }
      }
      for (long blocks : settings.listed()) {
        if (settings.engines().contains(Engine.NVCACHE)) {
          measure(Engine.NVCACHE, how, blocks, LISTED_BLOCK_BYTES, true, measured);
        }
      }
    }
    return measured;
  }

  private void measure(
      Engine engine, Stop how, long blocks, int blockBytes, boolean isListed, Measurements measured)
      throws IOException, InterruptedException {
    if (stop.isRequested()) {
      return;
    }
    String name =
        "nvcache-bench-restart-" + ProcessHandle.current().pid() + "-" + started.getAndIncrement();
    Path directory = Files.createDirectory(settings.directory().resolve(name));
    RestartRun run = new RestartRun(engine, how, (int) blocks, blockBytes, isListed, directory);
    String title = engine.label() + ", " + blocks + " blocks, " + how.label();
    try (Progress.Phase phase = progress.begin(title, 2)) {
      Map<String, JsonRecords.Entry> filled = fork(RestartFork.FILL, run);
      phase.at(1, "");
      if (stop.isRequested()) {
        return;
      }
      Map<String, JsonRecords.Entry> restarted = fork(RestartFork.RESTART, run);
      phase.at(2, "");
      if (!stop.isRequested()) {
        report(filled, restarted, run.labelled(measured));
      }
    } finally {
      FileTree.delete(directory);
    }
  }

  private static void report(
      Map<String, JsonRecords.Entry> filled,
      Map<String, JsonRecords.Entry> restarted,
      Measurements out) {
    restarted.values().forEach(each -> out.add(each.metric(), each.value(), each.unit()));
    double before = value(filled, RestartFork.FILLED_BLOCKS);
    out.add("restored_ratio", value(restarted, RestartFork.RESTORED_BLOCKS) / before, "ratio");
  }

  private static double value(Map<String, JsonRecords.Entry> records, String metric) {
    return Objects.requireNonNull(records.get(metric), metric).value();
  }

  /** Runs a fork to its end, or, where it is to be killed, until it has filled its cache. */
  private Map<String, JsonRecords.Entry> fork(String phase, RestartRun run)
      throws IOException, InterruptedException {
    List<String> command = command(phase, run);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    running = process;
    Map<String, JsonRecords.Entry> records = new TreeMap<>();
    Deque<String> tail = new ArrayDeque<>();
    boolean killed = false;
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonRecords.Entry record = RecordLine.read(line);
        if (record == null) {
          tail.add(line);
          if (tail.size() > TAIL_LINES) {
            tail.removeFirst();
          }
          continue;
        }
        records.put(record.metric(), record);
        if (record.metric().equals(RestartFork.FILLED_BLOCKS) && run.stop() == Stop.KILL) {
          killed = true;
          process.toHandle().destroyForcibly(); // The process itself would close its output, too.
        }
      }
    }
    int status = process.waitFor();
    if (status != (killed ? SIGKILL_EXIT : 0) && !stop.isRequested()) {
      throw new IOException(
          "the process that was to "
              + phase
              + " ended with "
              + status
              + ": "
              + String.join(" | ", tail));
    }
    return records;
  }

  private List<String> command(String phase, RestartRun run) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-Xm") && !flag.startsWith("-agent") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.add("-Xmx" + settings.heapBytes());
    command.add("-Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=disabled");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RestartFork.class.getName());
    command.add(phase);
    command.addAll(run.toArguments());
    return command;
  }

  private void killRunning() {
    Process process = running;
    if (process != null) {
      process.destroyForcibly();
    }
  }

  /**
   * What to restart.
   *
   * @param engines in the order of the table
   * @param stops in the order of the table
   * @param blocks how many, one run each
   * @param listed how many whose bytes are dropped, one run of NVCache each
   * @param blockBytes of each block
   * @param heapBytes of the forked JVMs
   * @param directory where the files go
   */
  public record Settings(
      List<Engine> engines,
      List<Stop> stops,
      List<Long> blocks,
      List<Long> listed,
      int blockBytes,
      long heapBytes,
      Path directory) {
    /** Copies the lists. */
    public Settings {
      engines = List.copyOf(engines);
      stops = List.copyOf(stops);
      blocks = List.copyOf(blocks);
      listed = List.copyOf(listed);
    }
  }

  /** What is restarted. */
  public enum Engine implements Labelled {
    /** NVCache in regions on flash. */
    NVCACHE,
    /** HBase's BucketCache in a file, with its persistent map. */
    BUCKET_FILE
  }

  /** How the process that filled a cache ended. */
  public enum Stop implements Labelled {
    /** It closed the cache. */
    CLEAN,
    /** By {@code kill -9}. */
    KILL
  }
}
