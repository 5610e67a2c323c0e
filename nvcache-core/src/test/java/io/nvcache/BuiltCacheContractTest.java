// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The engine keeps the contract on every kind of medium. */
final class BuiltCacheContractTest {
  private static final long CAPACITY = 2 << 20;

  private static BlockCache build(BlockCacheBuilder builder, long maxPinnedBytes) {
    return builder
        .maxBlockBytes(64 << 10)
        .expectedBlockBytes(2048)
        .maxPinnedBytes(maxPinnedBytes)
        .admission(AdmissionPresets.admitAll())
        .build();
  }

  @Nested
  final class InNativeMemory extends BlockCacheContract {
    @Override
    protected BlockCache create(long maxPinnedBytes) {
      return build(BlockCache.builder().nativeMemory(CAPACITY), maxPinnedBytes);
    }
  }

  @Nested
  final class InMappedFile extends BlockCacheContract {
    @TempDir Path directory;
    private int files;

    @Override
    protected BlockCache create(long maxPinnedBytes) {
      Path file = directory.resolve("medium" + files++);
      return build(BlockCache.builder().mappedFile(file, CAPACITY), maxPinnedBytes);
    }
  }
}
