// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.AtClose;
import io.nvcache.medium.MappedFileMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Builds, uses and closes caches over and over, and tells what the process holds in between. A
 * program of its own, with a small heap, so that nothing else moves its memory. Arguments: the
 * directory for mapped files, and the cycles.
 */
final class OpenCloseCycles {
  private static final int LENGTH = 4096;

  private OpenCloseCycles() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int cycles = Integer.parseInt(arguments[1]);
    cycle(directory, cycles / 4);
    tell("before");
    cycle(directory, cycles);
    tell("after");
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
            MappedFileMedium.create(directory.resolve("medium"), 1 << 20, AtClose.DELETE));
      } else {
        builder.nativeMemory(1 << 20);
      }
      if (i % 3 == 0) {
        builder.debug(DebugCheck.values());
      }
      BlockCache cache = builder.build();
      for (long block = 0; block < 300; block++) {
        cache.offer(i, block * LENGTH, ByteBuffer.allocate(LENGTH), Source.READ);
      }
      ByteBuffer copy = ByteBuffer.allocate(LENGTH);
      for (long block = 0; block < 300; block++) {
        PinnedBlock lease = cache.pin(i, block * LENGTH);
        if (lease != null) {
          lease.copyTo(copy.clear());
          lease.close();
        }
      }
      cache.close();
      cache.close();
    }
  }

  private static void tell(String when) throws IOException, InterruptedException {
    System.gc();
    Thread.sleep(200);
    List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
    long resident =
        status.stream()
            .filter(line -> line.startsWith("VmRSS:") || line.startsWith("Threads:"))
            .map(line -> line.replaceAll("\\D", ""))
            .mapToLong(Long::parseLong)
            .findFirst()
            .orElseThrow();
    long threads = Thread.getAllStackTraces().size();
    int mappings = Files.readAllLines(Path.of("/proc/self/maps")).size();
    System.out.println(
        when + ": residentKiB=" + resident + " mappings=" + mappings + " threads=" + threads);
  }
}
