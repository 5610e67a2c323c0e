// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.management.ManagementFactory;

/** Asks the system how much memory it has. */
public final class SystemMemory {
  private SystemMemory() {}

  /** Returns the machine's, or its container's, memory in bytes; 0 if the JVM can't tell. */
  public static long totalBytes() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return Math.max(0, system.getTotalMemorySize());
    }
    return 0;
  }
}
