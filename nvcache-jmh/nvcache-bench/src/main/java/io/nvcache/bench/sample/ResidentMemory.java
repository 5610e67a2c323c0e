// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory that this process has, as Linux reports it.
 *
 * @param residentBytes all of it
 * @param hugeBytes the part that lies on huge pages
 */
public record ResidentMemory(long residentBytes, long hugeBytes) {
  private static final Path SUMS = Path.of("/proc/self/smaps_rollup");

  public static ResidentMemory read() {
    long resident = 0;
    long huge = 0;
    try {
      for (String line : Files.readAllLines(SUMS)) {
        String[] words = line.split(" +", -1);
        switch (words[0]) {
          case "Rss:" -> resident = kibibytes(words[1]);
          case "AnonHugePages:", "ShmemPmdMapped:" -> huge += kibibytes(words[1]);
          default -> {}
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("resident memory is known on Linux only", e);
    }
    return new ResidentMemory(resident, huge);
  }

  private static long kibibytes(String number) {
    return Long.parseLong(number) << 10;
  }

  /** From 0 to 1. */
  public double hugeShare() {
    return residentBytes == 0 ? 0 : (double) hugeBytes / residentBytes;
  }
}
