// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** Asks the system how much memory it has. */
public final class SystemMemory {
  private static final Path LINUX = Path.of("/proc/meminfo");
  private static final String TOTAL = "MemTotal:";
  private static final int KIBIBYTE = 1 << 10;

  private SystemMemory() {}

  /** Returns the machine's, or its container's, memory in bytes; 0 if it is not known. */
  public static long totalBytes() {
    return MemoryLimit.ofThisProcess().bytes();
  }

  /** Returns the same, perhaps without regard to a container. */
  static long machineBytes() {
    try {
      for (String line : SmallFiles.lines(LINUX)) {
        if (line.startsWith(TOTAL)) {
          return Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE;
        }
      }
    } catch (IOException | RuntimeException notLinux) {
      // The JVM is asked, which takes direct memory on Linux.
    }
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Math.max(0, system.getTotalMemorySize())
        : 0;
  }
}
