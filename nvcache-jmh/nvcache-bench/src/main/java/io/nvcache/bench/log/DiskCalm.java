// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits until a disk is as calm as it was at the beginning: what one figure leaves to the disk must
 * not be part of the next. A disk is calm when a synced write takes no more than {@value #FACTOR}
 * times as long as then. One that others keep busy is waited for a minute, and no longer.
 */
final class DiskCalm {
  private static final int FACTOR = 2;
  private static final int PROBES = 9;
  private static final long PAUSE_MILLIS = 200;
  private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path directory;
  private final long calmNanos;

  /** Asks a disk that is taken for calm. */
  DiskCalm(Path directory) throws IOException {
    this.directory = directory;
    this.calmNanos = medianNanos();
  }

  /** Syncs all files of the directory and waits. */
  void await() throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.walk(directory)) {
      all = entries.filter(Files::isRegularFile).toList();
    }
    for (Path file : all) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    long began = System.nanoTime();
    while (medianNanos() > FACTOR * calmNanos
        && System.nanoTime() - began < LONGEST_WAIT_NANOS
        && pause()) {}
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns what a synced write takes. */
  private long medianNanos() throws IOException {
    Path probe = directory.resolve("probe");
    long[] nanos = new long[PROBES];
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    try (FileChannel channel =
        FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < PROBES; i++) {
        long began = System.nanoTime();
        channel.write(block.clear(), i * 4096L);
        channel.force(false);
        nanos[i] = System.nanoTime() - began;
      }
    } finally {
      Files.deleteIfExists(probe);
    }
    Arrays.sort(nanos);
    return nanos[PROBES / 2];
  }
}
