// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hunt.Hunt;
import io.nvcache.hunt.MediumMaker;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hunt of the core, over heaps: hostile callers of media and of caches on them. */
@NeedsPmdk
final class HeapHuntTest {
  private static final long STEPS = Long.getLong("nvcache.test.heapHuntSteps", 10_000);
  private static final long SEED = Long.getLong("nvcache.test.huntSeed", 20_261_123);

  @TempDir(factory = FileSystems.Tmpfs.class)
  Path directory;

  /** One medium a heap. */
  public static final class Heaps implements MediumMaker {
    @Override
    public Medium make(Path file, long capacityBytes) throws IOException {
      return LlplHeapMedium.create(file, capacityBytes);
    }
  }

  /** One allocation a block. */
  public static final class Blocks implements MediumMaker {
    @Override
    public Medium make(Path file, long capacityBytes) throws IOException {
      return PerBlockHeapMedium.create(file, capacityBytes);
    }
  }

  @Test
  void shouldFindNothingOnHeaps() throws Exception {
    assertThat(new Hunt(directory, SEED, STEPS).after(Heaps.class).run()).isEmpty();
  }

  @Test
  void shouldFindNothingOnHeapsWithAnAllocationForEachBlock() throws Exception {
    assertThat(new Hunt(directory, SEED, STEPS).after(Blocks.class).run()).isEmpty();
  }
}
