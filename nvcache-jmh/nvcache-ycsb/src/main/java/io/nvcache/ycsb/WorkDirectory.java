// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A new directory inside a given one, removed with everything in it when closed. */
final class WorkDirectory implements AutoCloseable {
  private final Path path;

  private WorkDirectory(Path path) {
    this.path = path;
  }

  static WorkDirectory createIn(Path parent) throws IOException {
    return new WorkDirectory(Files.createTempDirectory(parent, "nvcache-ycsb-"));
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      all.sorted(Comparator.reverseOrder()).forEach(WorkDirectory::delete);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
