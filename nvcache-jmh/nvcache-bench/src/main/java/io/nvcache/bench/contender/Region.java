// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kinds of memory that caches and limits are measured in. */
public enum Region {
  NATIVE {
    @Override
    public Medium open(long capacityBytes) {
      return NativeMedium.allocate(capacityBytes);
    }
  },
  MAPPED {
    /** In memory where the system offers that, so that no disk takes part. */
    @Override
    public Medium open(long capacityBytes) {
      Path memory = Path.of("/dev/shm");
      try {
        Path file =
            Files.isWritable(memory)
                ? Files.createTempFile(memory, "nvcache-bench", null)
                : Files.createTempFile("nvcache-bench", null);
        try {
          return MappedFileMedium.create(file, capacityBytes);
        } finally {
          // The mapping keeps the bytes; whatever ends this JVM leaves nothing behind.
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  };

  public abstract Medium open(long capacityBytes);
}
