// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time that this process has taken, all its threads together, the garbage collector's and
 * the compiler's among them. Linux reports it by thread to the nanosecond; elsewhere, and in what
 * the JVM reports of the process, it comes in ticks of some milliseconds.
 */
final class ProcessorTime {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private ProcessorTime() {}

  /** Nanoseconds. A thread that has ended since may be missing. */
  static long nanos() {
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        sum += nanos(task.resolve("schedstat"));
      }
    } catch (IOException | NumberFormatException e) {
      return PROCESS.getProcessCpuTime();
    }
    return sum > 0 ? sum : PROCESS.getProcessCpuTime();
  }

  private static long nanos(Path file) {
    try {
      String text = Files.readString(file);
      return Long.parseLong(text.substring(0, text.indexOf(' ')));
    } catch (IOException e) {
      return 0; // The thread has just ended.
    }
  }
}
