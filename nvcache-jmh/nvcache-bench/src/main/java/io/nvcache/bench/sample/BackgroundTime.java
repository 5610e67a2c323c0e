// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Processor time that other threads than the calling one take: a cache's writers and maintenance,
 * and the garbage collector's. A cache that only hands its work over looks cheap without it.
 */
public final class BackgroundTime {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long startNanos = othersNanos();

  private static long othersNanos() {
    return PROCESS.getProcessCpuTime()
        - ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Since this was made. */
  public long nanos() {
    return Math.max(0, othersNanos() - startNanos);
  }
}
