// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the system says this process holds; 0 where it can't be asked.
 *
 * @param residentBytes memory
 * @param mappings ranges of addresses
 */
public record ProcessMemory(long residentBytes, long mappings) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path MAPS = Path.of("/proc/self/maps");

  /** As of now. */
  public static ProcessMemory now() {
    return new ProcessMemory(resident(), count());
  }

  private static long resident() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .map(line -> line.replaceAll("\\D", ""))
              .mapToLong(Long::parseLong)
              .findAny()
              .orElse(0)
          << 10;
    } catch (IOException e) {
      return 0;
    }
  }

  private static long count() {
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines.count();
    } catch (IOException e) {
      return 0;
    }
  }
}
