// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time of all Java threads of the process up to a moment, by thread. The JVM's own
 * threads are not among them: compilers work for all who are compared, and at their own times.
 */
final class ProcessorTime {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<Long, Long> nanos = new HashMap<>();

  static ProcessorTime now() {
    ProcessorTime now = new ProcessorTime();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (long thread : threads.getAllThreadIds()) {
      long time = threads.getThreadCpuTime(thread);
      if (time >= 0) {
        now.nanos.put(thread, time);
      }
    }
    return now;
  }

  /** Seconds since an earlier moment; what threads did that ended since is lost. */
  double secondsSince(ProcessorTime earlier) {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : nanos.entrySet()) {
      sum += thread.getValue() - earlier.nanos.getOrDefault(thread.getKey(), 0L);
    }
    return sum / NANOS_PER_SECOND;
  }
}
