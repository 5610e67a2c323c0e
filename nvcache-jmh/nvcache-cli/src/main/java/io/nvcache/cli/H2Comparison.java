// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.nio.WriteLogFileSystemProvider;
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
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stock H2 that commits, in JVMs of its own: as it is, with synced writes, through a log. */
final class H2Comparison {
  /** How the writes of H2 go. */
  enum Way {
    AS_IS("as it is: a power cut loses commits", null),
    FORCED("synced by each write: durable", null),
    ON_WRITE("through the log, on_write: durable on persistent memory", Propagation.ON_WRITE),
    DEFERRED("through the log, deferred: durable on persistent memory", Propagation.DEFERRED);

    private final String words;
    private final @Nullable Propagation propagation;

    Way(String words, @Nullable Propagation propagation) {
      this.words = words;
      this.propagation = propagation;
    }

    String words() {
      return words;
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

  private final Path driver;
  private final Path logs;
  private final Path files;

  /**
   * Makes a comparison.
   *
   * @param driver the jar of H2
   */
  H2Comparison(Path driver, Path logs, Path files) {
    this.driver = driver;
    this.logs = logs;
    this.files = files;
  }

  /** Returns the jar of H2: the one named, that of the class path, or that of the build. */
  static @Nullable Path driver(@Nullable Path named) throws IOException {
    if (named != null) {
      if (!Files.isRegularFile(named)) {
        throw new IOException(named + " is not there; name the jar of H2");
      }
      return named.toAbsolutePath();
    }
    List<Path> all = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      all.add(path);
      Path directory = path.getParent();
      if (directory != null && Files.isDirectory(directory.resolve("h2"))) {
        try (Stream<Path> jars = Files.list(directory.resolve("h2"))) {
          all.addAll(jars.toList());
        }
      }
    }
    return all.stream()
        .filter(p -> Objects.toString(p.getFileName(), "").matches("h2-\\d.*\\.jar"))
        .findFirst()
        .orElse(null);
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
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
    Propagation propagation = way.propagation;
    if (propagation != null) {
      command.add(
          "-Djava.nio.file.spi.DefaultFileSystemProvider="
              + WriteLogFileSystemProvider.class.getName());
      command.add("-Dnvcache.writelog.path=" + log);
      command.add("-Dnvcache.writelog.roots=" + root);
      command.add("-Dnvcache.writelog.persistence=EMULATED");
      command.add("-Dnvcache.writelog.propagation=" + propagation);
    }
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path") + File.pathSeparator + driver));
    command.add(H2Commits.class.getName());
    command.add((way == Way.FORCED ? H2Commits.FORCED : "") + root.resolve("db"));
    command.add(Long.toString(seconds));
    try {
      return result(command);
    } finally {
      BenchLogs.deleteAll(root);
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
