// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The identity of this run of the system: a loss of power, or a restart, begins another one. */
public final class BootId {
  /** Where the system does not say, or it does not matter. */
  public static final long UNKNOWN = 0;

  private static final String LINUX = "/proc/sys/kernel/random/boot_id";

  private BootId() {}

  /**
   * Returns a number of the present run.
   *
   * @param files of the platform
   */
  public static long current(FileSystem files) {
    Path path = files.getPath(LINUX);
    try {
      UUID id = UUID.fromString(Files.readString(path).trim());
      return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    } catch (IOException | IllegalArgumentException e) {
      return UNKNOWN;
    }
  }
}
