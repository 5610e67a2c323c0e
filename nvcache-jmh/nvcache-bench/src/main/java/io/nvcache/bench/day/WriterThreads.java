// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the writer threads of a server's BucketCache have handed to the system, which BucketCache
 * does not count. Linux counts it for each thread; what the thread of the map writes is apart.
 */
final class WriterThreads {
  private static final Pattern THREAD =
      Pattern.compile("(?m)^\"[^\"]*BucketCacheWriter-\\d+\".* nid=(0x[0-9a-f]+|\\d+)");
  private static final Pattern WRITTEN = Pattern.compile("(?m)^wchar: (\\d+)$");

  private final List<Path> counts;

  private WriterThreads(List<Path> counts) {
    this.counts = counts;
  }

  /**
   * Finds the writers of a server that serves.
   *
   * @throws IllegalStateException if there are none
   */
  static WriterThreads of(Process server) throws IOException {
    String threads = threads(server.pid());
    List<Path> counts =
        numbers(threads).stream()
            .map(number -> Path.of("/proc", "" + server.pid(), "task", "" + number, "io"))
            .toList();
    if (counts.isEmpty()) {
      throw new IllegalStateException("the server has no BucketCacheWriter; it has " + threads);
    }
    return new WriterThreads(counts);
  }

  private static String threads(long pid) throws IOException {
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "Thread.print")
            .redirectErrorStream(true)
            .start();
    return new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Returns the system's numbers of the writers in the JVM's list of its threads. */
  static List<Integer> numbers(String threads) {
    return THREAD
        .matcher(threads)
        .results()
        .map(thread -> Integer.decode(thread.group(1)))
        .toList();
  }

  long writtenBytes() throws IOException {
    long bytes = 0;
    for (Path count : counts) {
      bytes += writtenBytes(Files.readString(count));
    }
    return bytes;
  }

  static long writtenBytes(String count) {
    Matcher written = WRITTEN.matcher(count);
    if (!written.find()) {
      throw new IllegalStateException("no wchar in " + count);
    }
    return Long.parseLong(written.group(1));
  }
}
