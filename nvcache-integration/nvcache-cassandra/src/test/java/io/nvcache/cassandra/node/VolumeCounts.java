// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What Linux counts for a volume.
 *
 * @param reads that reached it
 * @param readBytes their bytes
 */
record VolumeCounts(long reads, long readBytes) {
  private static final int SECTOR = 512;

  static VolumeCounts now() throws IOException {
    List<String> device = List.of(System.getProperty(VolumeGroups.DEVICE).split(":"));
    for (String line : Files.readAllLines(Path.of("/proc/diskstats"))) {
      List<String> words = List.of(line.strip().split(" +"));
      if (words.subList(0, 2).equals(device)) {
        return new VolumeCounts(
            Long.parseLong(words.get(3)), Long.parseLong(words.get(5)) * SECTOR);
      }
    }
    throw new IOException("/proc/diskstats has no line of " + device);
  }

  VolumeCounts minus(VolumeCounts earlier) {
    return new VolumeCounts(reads - earlier.reads, readBytes - earlier.readBytes);
  }
}
