// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.ConcurrentUseTest;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsPmdk
final class PerBlockHeapMediumTest {
  private static final long MIB = 1 << 20;

  @TempDir(factory = FileSystems.Tmpfs.class)
  Path directory;

  private PerBlockHeapMedium open(long capacityBytes) throws IOException {
    return PerBlockHeapMedium.create(directory.resolve("heap"), capacityBytes);
  }

  private static ByteBuffer bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void shouldReadBackBlocksThatReplaceEachOther() throws IOException {
    int[] lengths = {1, 4096, 16_000, 64 << 10};
    Random random = new Random(0x5eed);
    try (Medium medium = open(MIB)) {
      ByteBuffer read = ByteBuffer.allocateDirect(64 << 10);
      for (int i = 0; i < 5000; i++) {
        int length = lengths[random.nextInt(lengths.length)];
        long offset = random.nextInt(16) * (64L << 10);
        medium.write(offset, bytes(i, length));
        medium.persist(offset, length);
        medium.read(offset, read.clear(), length);
        assertThat(read.limit(length).equals(bytes(i, length))).as("block %d", i).isTrue();
      }
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldNeverMixUpBlocksOfACache() throws Exception {
    ConcurrentUseTest.run(BlockCache.builder().medium(open(MIB)), FifoEviction::new, 0xb10cL);
  }

  @Test
  void shouldRefuseToReadWhatIsNoBlock() throws IOException {
    try (PerBlockHeapMedium medium = open(MIB)) {
      medium.write(512, bytes(1, 1000));
      ByteBuffer dst = ByteBuffer.allocate(4096);
      assertThatThrownBy(() -> medium.read(256, dst, 10))
          .hasMessage("no block of 10 bytes begins at 256");
      assertThatThrownBy(() -> medium.read(512, dst, 1001))
          .hasMessage("no block of 1001 bytes begins at 512");
      assertThatThrownBy(() -> medium.read(MIB, dst, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      medium.free(0, 1024);
      assertThatThrownBy(() -> medium.read(512, dst, 10)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldReportThatRemovalsCostAWrite() throws IOException {
    try (Medium medium = open(1000)) {
      assertThat(medium.writeCost().removalWeight()).isEqualTo(1);
      assertThat(medium.capacityBytes()).isEqualTo(768);
      assertThat(medium.address(0, 256)).isZero();
      assertThat(medium.describe()).contains("an allocation a block");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 255, 1L << 40})
  void shouldRefuseACapacityOutOfRange(long capacityBytes) {
    assertThatThrownBy(() -> open(capacityBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes is " + capacityBytes);
  }
}
