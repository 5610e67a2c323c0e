// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories with all that is in them, which nothing writes to at the time. */
public final class FileTree {
  private FileTree() {}

  private static List<Path> all(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Copies a directory with all that is in it. */
  public static void copy(Path from, Path to) throws IOException {
    for (Path each : all(from)) {
      Files.copy(
          each, to.resolve(from.relativize(each).toString()), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  /** Deletes a directory with all that is in it, if it is there. */
  public static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      for (Path each : all(directory).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
