// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** What heaps are tested on. */
final class FileSystems {
  private FileSystems() {}

  /** The build's own folder, since the temporary directory may be a tmpfs. */
  static final class Disk implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
        throws IOException {
      Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
      return Files.createTempDirectory(target, "heaps");
    }
  }

  /** Memory that the kernel presents as a file system. */
  static final class Tmpfs implements TempDirFactory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
        throws IOException {
      assumeTrue(Files.isWritable(SHARED_MEMORY), "no tmpfs at /dev/shm");
      return Files.createTempDirectory(SHARED_MEMORY, "nvcache-heaps");
    }
  }
}
