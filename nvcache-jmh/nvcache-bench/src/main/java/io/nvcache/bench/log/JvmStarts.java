// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
      logged[i] = millis(ChildJvm.writingThrough(logs.resolve("start"), files));
    }
    Files.deleteIfExists(logs.resolve("start"));
    Arrays.sort(plain);
    Arrays.sort(logged);
    return logged[starts / 2] - plain[starts / 2];
  }

  private static double millis(List<String> flags) throws IOException {
    List<String> command = ChildJvm.command();
    command.addAll(flags);
    command.addAll(List.of("-cp", ChildJvm.classPath(), Program.class.getName(), "/"));
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
