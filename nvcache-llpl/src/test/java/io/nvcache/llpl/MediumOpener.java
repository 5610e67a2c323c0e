// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Path;

/** Tells, in a separate JVM, what becomes of two media of the directory given. */
final class MediumOpener {
  private MediumOpener() {}

  @SuppressWarnings("SystemOut") // Its parent listens.
  public static void main(String[] args) throws IOException {
    for (String name : new String[] {"a", "b"}) {
      Path path = Path.of(args[0], name);
      try {
        LlplHeapMedium.create(path, 1 << 20).close();
      } catch (IOException e) {
        System.out.println("refused: " + e.getMessage());
      }
      try (Medium medium = PmemMedium.openOrMapped(path, 1 << 20)) {
        System.out.println("opened: " + medium.describe());
      } catch (IOException e) {
        System.out.println("failed: " + e.getMessage());
      }
    }
  }
}
