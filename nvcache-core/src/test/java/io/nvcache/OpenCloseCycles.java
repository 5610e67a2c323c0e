// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.MappedFileMedium;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/**
 * Builds, uses and closes caches over and over, and tells what the process holds in between. A
 * separate program, with a small heap, so that nothing else moves its memory. Arguments: the
 * directory for mapped files, and the cycles.
 */
final class OpenCloseCycles {
  private static final int LENGTH = 4096;

  private OpenCloseCycles() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int cycles = Integer.parseInt(arguments[1]);
    cycle(directory, cycles / 4);
    tell("before", directory);
    cycle(directory, cycles);
    tell("after", directory);
  }

  private static void cycle(Path directory, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      BlockCacheBuilder builder =
          BlockCache.builder()
              .maxBlockBytes(LENGTH)
              .expectedBlockBytes(LENGTH)
              .admission(AdmissionPresets.admitAll())
              .registerMBean("cycle");
      if (i % 8 == 0) {
        builder.medium(
            MappedFileMedium.create(directory.resolve("medium"), 1 << 20, CloseAction.DELETE));
      } else {
        builder.nativeMemory(1 << 20);
      }
      if (i % 3 == 0) {
        builder.testing(TestHook.debug(DebugCheck.values()));
      }
      BlockCache cache = builder.build();
      for (long block = 0; block < 300; block++) {
        cache.offer(i, block * LENGTH, ByteBuffer.allocate(LENGTH), Source.READ);
      }
      ByteBuffer copy = ByteBuffer.allocate(LENGTH);
      for (long block = 0; block < 300; block++) {
        PinnedBlock pin = cache.pin(i, block * LENGTH);
        if (pin != null) {
          pin.copyTo(copy.clear());
          pin.close();
        }
      }
      cache.close();
      cache.close();
    }
  }

  private static void tell(String when, Path directory) throws Exception {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
    System.out.println(
        when
            + ": residentKiB="
            + resident()
            + " mappings="
            + maps.size()
            + " threads="
            + Thread.getAllStackTraces().size()
            + " mappedMedia="
            + maps.stream().filter(line -> line.contains(directory.toString())).count()
            + " openFiles="
            + openFiles(directory)
            + " allocatedKiB="
            + (otherKib() - (direct >> 10))
            + " directKiB="
            + (direct >> 10)
            + " heapKiB="
            + (ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10));
  }

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }

  private static long openFiles(Path directory) throws IOException {
    long open = 0;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        if (Files.isSymbolicLink(descriptor)
            && Files.readSymbolicLink(descriptor).toString().contains(directory.toString())) {
          open++;
        }
      }
    }
    return open;
  }

  /** What the JVM's own books have of memory that was asked for by address, and direct buffers. */
  private static long otherKib() throws Exception {
    Object[] arguments = {new String[] {"summary"}};
    String[] signature = {String[].class.getName()};
    String summary =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "vmNativeMemory",
                    arguments,
                    signature);
    Matcher other =
        Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB").matcher(summary);
    if (!other.find()) {
      throw new IllegalStateException("no books were kept: " + summary);
    }
    return Long.parseLong(other.group(1));
  }
}
