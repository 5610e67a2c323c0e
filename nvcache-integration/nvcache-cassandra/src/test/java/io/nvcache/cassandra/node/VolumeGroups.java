// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The control groups that {@code scripts/cassandra-clients} made for a node and its volume. */
final class VolumeGroups {
  /** Limits heap, native memory and page cache together. */
  private static final String MEMORY = "nvcache.test.memoryGroup";

  /** Limits reads of devices. */
  private static final String READS = "nvcache.test.readsGroup";

  /** Of the volume: major and minor number, as the kernel writes them. */
  static final String DEVICE = "nvcache.test.volumeDevice";

  private VolumeGroups() {}

  static List<Path> ofProperties() {
    return List.of(Path.of(System.getProperty(MEMORY)), Path.of(System.getProperty(READS)));
  }

  /** Limits how many reads of the volume are done in a second; 0 for no limit. */
  static void limitReads(int perSecond) throws IOException {
    Files.writeString(
        Path.of(System.getProperty(READS), "blkio.throttle.read_iops_device"),
        System.getProperty(DEVICE) + " " + perSecond + "\n");
  }
}
