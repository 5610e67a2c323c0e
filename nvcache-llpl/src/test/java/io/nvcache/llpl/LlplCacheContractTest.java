// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheContract;
import io.nvcache.ConcurrentUseTest;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The engine keeps its contract, and bears many threads, on LLPL heaps of every kind. */
@NeedsPmdk
final class LlplCacheContractTest {
  private static final long MIB = 1 << 20;

  /** Chunks of 512 KiB. */
  private static final int SMALL_CHUNKS = 19;

  abstract static class OnHeaps extends BlockCacheContract {
    private int heaps;

    abstract Path directory();

    abstract Medium open(Path path, long capacityBytes) throws IOException;

    @Override
    protected final BlockCache create(long maxPinnedBytes) {
      try {
        return BlockCache.builder()
            .medium(open(directory().resolve("heap" + heaps++), 2 * MIB))
            .maxBlockBytes(16 << 10)
            .expectedBlockBytes(2048)
            .maxPinnedBytes(maxPinnedBytes)
            .admission(AdmissionPresets.admitAll())
            .build();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldNeverMixUpBlocks() throws Exception {
      Medium medium = open(directory().resolve("shared"), MIB);
      ConcurrentUseTest.run(BlockCache.builder().medium(medium), ClockEviction::new, 0x11b1L);
    }
  }

  abstract static class OnDisk extends OnHeaps {
    @TempDir(factory = FileSystems.Disk.class)
    Path directory;

    @Override
    final Path directory() {
      return directory;
    }
  }

  abstract static class OnTmpfs extends OnHeaps {
    @TempDir(factory = FileSystems.Tmpfs.class)
    Path directory;

    @Override
    final Path directory() {
      return directory;
    }
  }

  @Nested
  final class FileOnDisk extends OnDisk {
    @Override
    Medium open(Path path, long capacityBytes) throws IOException {
      return LlplHeapMedium.create(path, capacityBytes);
    }
  }

  @Nested
  final class FileOnTmpfs extends OnTmpfs {
    @Override
    Medium open(Path path, long capacityBytes) throws IOException {
      return LlplHeapMedium.create(path, capacityBytes);
    }
  }

  @Nested
  final class DirectoriesOnTmpfs extends OnTmpfs {
    @Override
    Medium open(Path path, long capacityBytes) throws IOException {
      return LlplHeapMedium.builder(capacityBytes)
          .directory(path)
          .directory(path.resolveSibling(path.getFileName() + "-2"))
          .chunkShift(SMALL_CHUNKS)
          .create();
    }
  }
}
