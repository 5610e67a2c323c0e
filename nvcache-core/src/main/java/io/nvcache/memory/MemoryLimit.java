// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the system lets this process have: the memory of its control group (version 1 or
 * 2) and of those above it, or the machine's. Native memory is taken page by page, so that a cache
 * is built without complaint and the process is killed when the cache has filled.
 */
public final class MemoryLimit {
  private static final Path ROOT = Path.of("/");

  /** What version 1 calls no limit is a number near 2^63, rounded to pages. */
  private static final long NO_LIMIT = 1L << 60;

  private final OptionalLong group;
  private final long machineBytes;

  private MemoryLimit(OptionalLong group, long machineBytes) {
    this.group = group;
    this.machineBytes = machineBytes;
  }

  /** Asks the system. */
  public static MemoryLimit ofThisProcess() {
    return new MemoryLimit(ofGroups(ROOT), SystemMemory.machineBytes());
  }

  /** The same of files below another root. */
  static MemoryLimit of(Path root, long machineBytes) {
    return new MemoryLimit(ofGroups(root), machineBytes);
  }

  /** Returns the bytes; 0 if they are not known. */
  long bytes() {
    long bytes = group.orElse(machineBytes);
    return machineBytes == 0 ? bytes : Math.min(bytes, machineBytes);
  }

  /**
   * Returns what is wrong, in words, if this process may take more with a cache in memory; null if
   * it may not.
   *
   * @param cacheBytes of the cache, its index included
   */
  public @Nullable String excess(long cacheBytes) {
    return excess(Runtime.getRuntime().maxMemory(), directBytes(), cacheBytes);
  }

  @Nullable String excess(long heapBytes, long directBytes, long cacheBytes) {
    double all = (double) heapBytes + directBytes + cacheBytes;
    long limit = bytes();
    if (limit == 0 || all <= limit) {
      return null;
    }
    boolean isOfGroup = group.isPresent() && group.getAsLong() == limit;
    return "the "
        + (isOfGroup ? "container" : "machine")
        + " has "
        + limit
        + " bytes of memory, and this process may take "
        + (long) all
        + ": heap "
        + heapBytes
        + " + direct memory "
        + directBytes
        + " + cache "
        + cacheBytes
        + "; the kernel kills what takes more";
  }

  /** Returns the limit of direct memory; 0 unless it was set, since few come near the default. */
  private static long directBytes() {
    try {
      HotSpotDiagnosticMXBean options =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return options == null
          ? 0
          : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
    } catch (IllegalArgumentException e) {
      return 0; // Another virtual machine.
    }
  }

  private static OptionalLong ofGroups(Path root) {
    OptionalLong least = OptionalLong.empty();
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields.length < 3) {
        continue;
      }
      boolean isSecondVersion = fields[1].isEmpty();
      if (isSecondVersion) {
        least = least(least, ofGroup(root.resolve("sys/fs/cgroup"), fields[2], "memory.max"));
      } else if (Arrays.asList(fields[1].split(",", -1)).contains("memory")) {
        Path mount = root.resolve("sys/fs/cgroup/memory");
        least = least(least, ofGroup(mount, fields[2], "memory.limit_in_bytes"));
      }
    }
    return least;
  }

  /** The least from a group up to the mount, which may be all that a container sees. */
  private static OptionalLong ofGroup(Path mount, String group, String file) {
    Path place = mount.resolve(group.replaceFirst("^/+", "")).normalize();
    OptionalLong least = OptionalLong.empty();
    while (place != null && place.startsWith(mount)) {
      for (String line : lines(place.resolve(file))) {
        least = least(least, number(line));
      }
      place = place.getParent();
    }
    return least;
  }

  private static OptionalLong least(OptionalLong one, OptionalLong other) {
    if (one.isEmpty()) {
      return other;
    }
    return other.isPresent() && other.getAsLong() < one.getAsLong() ? other : one;
  }

  private static OptionalLong number(String text) {
    try {
      long number = Long.parseLong(text.strip());
      return number > 0 && number < NO_LIMIT ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // "max"
    }
  }

  private static Iterable<String> lines(Path file) {
    try {
      return SmallFiles.lines(file);
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
  }
}
