// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads small files, as the system describes itself by. The streams of {@link Files} take direct
 * memory for each thread that reads, and where other code has taken all of it, they collect the
 * heap and fail.
 */
public final class SmallFiles {
  private SmallFiles() {}

  /** Returns a file's characters, of which those beyond ASCII may be any. */
  public static String text(Path file) throws IOException {
    try (InputStream in = open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Returns a file's lines, as {@link #text} does. */
  public static List<String> lines(Path file) throws IOException {
    return text(file).lines().toList();
  }

  /** Opens a file to be read from its beginning. */
  public static InputStream open(Path file) throws IOException {
    if (file.getFileSystem() != FileSystems.getDefault()) {
      return Files.newInputStream(file);
    }
    try {
      return new FileInputStream(file.toFile());
    } catch (FileNotFoundException e) {
      throw Files.exists(file)
          ? new AccessDeniedException(file.toString())
          : new NoSuchFileException(file.toString());
    }
  }
}
