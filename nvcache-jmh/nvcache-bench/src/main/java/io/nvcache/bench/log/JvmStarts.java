// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import io.nvcache.background.BackgroundThread;
import io.nvcache.writelog.nio.WriteLogFileSystemProvider;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * Measures how much longer a JVM takes to start with a log's file system as its default. The log is
 * opened by the first use of a path in its roots, and by these programs not.
 */
final class JvmStarts {
  /** Looks at a file and ends. */
  static final class Program {
    private Program() {}

    /** Takes the file. */
    public static void main(String[] args) {
      System.out.println(Files.exists(Path.of(args[0])));
    }
  }

  private final Path logs;
  private final Path files;

  JvmStarts(Path logs, Path files) {
    this.logs = logs;
    this.files = files;
  }

  /** Returns the median start with it less that without, in turns, in ms. */
  double extraMillis(int starts) throws IOException {
    double[] plain = new double[starts];
    double[] logged = new double[starts];
    for (int i = 0; i < starts; i++) {
      plain[i] = millis(List.of());
      logged[i] = millis(writingThrough(logs.resolve("start"), files));
    }
    Files.deleteIfExists(logs.resolve("start"));
    Arrays.sort(plain);
    Arrays.sort(logged);
    return logged[starts / 2] - plain[starts / 2];
  }

  /** Returns the flags that make a log's file system the default one. */
  private static List<String> writingThrough(Path log, Path root) {
    return List.of(
        "-Djava.nio.file.spi.DefaultFileSystemProvider="
            + WriteLogFileSystemProvider.class.getName(),
        "-Dnvcache.writelog.path=" + log,
        "-Dnvcache.writelog.roots=" + root,
        "-Dnvcache.writelog.persistence=EMULATED");
  }

  /** Returns the class path with the log's jars first, as a start meets them. */
  private static String classPath() {
    return Stream.concat(
            Stream.of(
                    JvmStarts.class,
                    WriteLogFileSystemProvider.class,
                    BackgroundThread.class,
                    Logger.class)
                .map(JvmStarts::placeOf)
                .distinct(),
            Stream.of(System.getProperty("java.class.path")))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double millis(List<String> flags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath(), Program.class.getName(), "/"));
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("a JVM ended with " + code);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a JVM started", e);
    }
    return (System.nanoTime() - began) / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}
