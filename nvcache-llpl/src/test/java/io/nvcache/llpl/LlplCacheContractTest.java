// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheContract;
import io.nvcache.admission.AdmissionPresets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The engine keeps its contract on an LLPL heap. */
@NeedsPmdk
final class LlplCacheContractTest extends BlockCacheContract {
  @TempDir Path directory;
  private int heaps;

  @Override
  protected BlockCache create(long maxPinnedBytes) {
    try {
      return BlockCache.builder()
          .medium(LlplHeapMedium.create(directory.resolve("heap" + heaps++), 2 << 20))
          .maxBlockBytes(64 << 10)
          .expectedBlockBytes(2048)
          .maxPinnedBytes(maxPinnedBytes)
          .admission(AdmissionPresets.admitAll())
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
