// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import io.nvcache.bench.sample.FileTree;
import io.nvcache.writelog.Propagation;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/** Stock H2 that commits, in separate JVMs: as it is, with synced writes, through a log. */
final class H2Comparison {
  /** How the writes of H2 go. */
  enum Way {
    /** A power cut loses commits. */
    AS_IS(null),
    /** Synced by each write. */
    FORCED(null),
    /** Through a log, to the page cache at once. */
    ON_WRITE(Propagation.ON_WRITE),
    /** Through a log, to the page cache later. */
    DEFERRED(Propagation.DEFERRED);

    private final @Nullable Propagation propagation;

    Way(@Nullable Propagation propagation) {
      this.propagation = propagation;
    }
  }

  /**
   * What one way came to.
   *
   * @param commitsPerSecond of one thread
   * @param medianMicros of a commit
   * @param p99Micros of a commit
   */
  record Result(double commitsPerSecond, double medianMicros, double p99Micros) {}

  private final String classPath;
  private final Path logs;
  private final Path files;

  /**
   * Makes a comparison.
   *
   * @param driver the jar of H2; null for the one on the class path
   */
  H2Comparison(@Nullable Path driver, Path logs, Path files) throws IOException {
    if (driver != null && !Files.isRegularFile(driver)) {
      throw new IOException(driver + " is not there; name the jar of H2");
    }
    String h2 =
        driver == null ? ChildJvm.classPath(FilePath.class) : driver.toAbsolutePath().toString();
    this.classPath = h2 + File.pathSeparator + ChildJvm.classPath();
    this.logs = logs;
    this.files = files;
  }

  /** Runs all ways in turn, so many times, and returns the median of each. */
  Map<Way, Result> run(int rounds, long seconds) throws IOException {
    Map<Way, List<Result>> all = new EnumMap<>(Way.class);
    for (int round = 0; round < rounds; round++) {
      for (Way way : Way.values()) {
        all.computeIfAbsent(way, w -> new ArrayList<>()).add(run(way, round, seconds));
      }
    }
    Map<Way, Result> medians = new EnumMap<>(Way.class);
    all.forEach(
        (way, results) ->
            medians.put(
                way,
                new Result(
                    median(results.stream().mapToDouble(Result::commitsPerSecond).toArray()),
                    median(results.stream().mapToDouble(Result::medianMicros).toArray()),
                    median(results.stream().mapToDouble(Result::p99Micros).toArray()))));
    return medians;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private Result run(Way way, int round, long seconds) throws IOException {
    Path root = Files.createDirectory(files.resolve(way + "-" + round));
    Path log = logs.resolve("h2-" + way + "-" + round);
    List<String> command = ChildJvm.command();
    command.add("-Xmx512m");
    command.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
    Propagation propagation = way.propagation;
    if (propagation != null) {
      command.addAll(ChildJvm.writingThrough(log, root));
      command.add("-Dnvcache.writelog.propagation=" + propagation);
    }
    command.addAll(List.of("-cp", classPath, H2Commits.class.getName()));
    command.add((way == Way.FORCED ? H2Commits.FORCED : "") + root.resolve("db"));
    command.add(Long.toString(seconds));
    try {
      return result(command);
    } finally {
      FileTree.delete(root);
      Files.deleteIfExists(log);
    }
  }

  private Result result(List<String> command) throws IOException {
    Path errors = files.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int code = process.waitFor();
      String[] figures = line.strip().split(" ", -1);
      if (code != 0 || figures.length != 3) {
        throw new IOException("H2 ended with " + code + ": " + Files.readString(errors).strip());
      }
      return new Result(
          Double.parseDouble(figures[0]),
          Double.parseDouble(figures[1]),
          Double.parseDouble(figures[2]));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while H2 ran", e);
    } finally {
      Files.deleteIfExists(errors);
    }
  }
}
