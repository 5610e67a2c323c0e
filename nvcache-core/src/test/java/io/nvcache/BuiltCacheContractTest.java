// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The engine keeps the contract on every kind of medium. */
final class BuiltCacheContractTest {
  private static final long CAPACITY = 2 << 20;

  private static BlockCache build(BlockCacheBuilder builder, long maxPinnedBytes) {
    return build(builder, maxPinnedBytes, 64 << 10);
  }

  private static BlockCache build(
      BlockCacheBuilder builder, long maxPinnedBytes, int maxBlockBytes) {
    return builder
        .maxBlockBytes(maxBlockBytes)
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

  @Nested
  final class InRegionsOfMemory extends BlockCacheContract {
    @Override
    protected BlockCache create(long maxPinnedBytes) {
      return build(
          BlockCache.builder().nativeMemory(2 * CAPACITY).placement(BlockPlacement.REGIONS),
          maxPinnedBytes,
          16 << 10);
    }

    @Override
    protected boolean makesSpaceInTheBackground() {
      return true;
    }
  }

  @Nested
  @EnabledOnOs(OS.LINUX)
  final class InRegionsOfFlash extends BlockCacheContract {
    @TempDir Path directory;
    private int files;

    @Override
    protected BlockCache create(long maxPinnedBytes) {
      Path file = directory.resolve("medium" + files++);
      return build(BlockCache.builder().flash(file, 2 * CAPACITY), maxPinnedBytes, 16 << 10);
    }

    @Override
    protected boolean makesSpaceInTheBackground() {
      return true;
    }
  }

  @Nested
  @EnabledOnOs(OS.LINUX)
  final class InPlaceOnFlash extends BlockCacheContract {
    @TempDir Path directory;
    private int files;

    @Override
    protected BlockCache create(long maxPinnedBytes) {
      Path file = directory.resolve("medium" + files++);
      return build(
          BlockCache.builder().flash(file, CAPACITY).placement(BlockPlacement.IN_PLACE),
          maxPinnedBytes);
    }
  }
}
