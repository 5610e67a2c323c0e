// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.background.DaemonThread;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks for stores in native code, which write past the log, among what the process has mapped;
 * often at first, then rarely, and no more once it has found one.
 */
final class NativeStores {
  private static final Pattern LIBRARY =
      Pattern.compile("/[^/\\s]*?(rocksdb|sqlite|lmdb|leveldb|mdbx)[^/\\s]*\\.so[^/\\s]*");

  private static final long FIRST_MILLIS = 500;
  private static final long LAST_MILLIS = 300_000;

  private final Path maps;

  NativeStores(FileSystem platform) {
    this.maps = platform.getPath("/proc/self/maps");
  }

  /** Looks in the background, and warns once on the standard error stream. */
  void watch(List<Path> roots) {
    DaemonThread.of("nvcache-write-log-native", () -> run(roots)).start();
  }

  private void run(List<Path> roots) {
    try {
      for (long pause = FIRST_MILLIS; ; pause = Math.min(2 * pause, LAST_MILLIS)) {
        Thread.sleep(pause);
        String library = find();
        if (library != null) {
          System.err.println(
              "the write log does not see native code: what "
                  + library
                  + " writes below "
                  + roots
                  + " is as durable as without the log");
          return;
        }
      }
    } catch (InterruptedException | IOException e) {
      // Ends; a system without such a file has nothing to look at.
    }
  }

  /** Returns the name of a library; null if none is loaded. */
  @Nullable String find() throws IOException {
    for (String line : Files.readAllLines(maps)) {
      String name = nameIn(line);
      if (name != null) {
        return name;
      }
    }
    return null;
  }

  /** Returns the name of a native store in a line of the map. */
  static @Nullable String nameIn(String line) {
    Matcher library = LIBRARY.matcher(line);
    return library.find() ? library.group().substring(1) : null;
  }
}
