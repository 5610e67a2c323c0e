// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.TestBlock;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.testing.Race;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EncryptedMediumTest {
  private static final int LENGTH = 5000;
  private static final int GRANULE = 4096;
  private static final byte[] WORDS = "the quick brown fox jumps over the lazy dog ".getBytes();

  @TempDir Path directory;

  private static ByteBuffer text() {
    ByteBuffer text = ByteBuffer.allocate(LENGTH);
    while (text.hasRemaining()) {
      text.put(WORDS, 0, Math.min(WORDS.length, text.remaining()));
    }
    return text.flip();
  }

  @Test
  void shouldGiveBackWhatItTook() throws IOException {
    try (Medium medium = EncryptedMedium.over(NativeMedium.allocate(1 << 20))) {
      ByteBuffer readOnlyDirect = ByteBuffer.allocateDirect(LENGTH).put(text()).asReadOnlyBuffer();
      medium.write(8192, readOnlyDirect, 0, LENGTH);
      medium.write(16384, text(), 3, 100);
      for (ByteBuffer dst :
          new ByteBuffer[] {ByteBuffer.allocate(9000), ByteBuffer.allocateDirect(9000)}) {
        dst.position(7);
        medium.read(8192, dst, LENGTH);
        assertThat(dst.position()).isEqualTo(7);
        assertThat(dst.slice(7, LENGTH)).isEqualTo(text());
        medium.read(16384, dst, 100);
        assertThat(dst.slice(7, 100)).isEqualTo(text().slice(3, 100));
      }
    }
  }

  /** The JDK clears what did not decrypt, and of a direct buffer all that lies before it, too. */
  @Test
  void shouldLeaveAloneWhatLiesAroundABlockThatWasChanged() throws IOException {
    try (NativeMedium inner = NativeMedium.allocate(1 << 20);
        Medium medium = EncryptedMedium.over(new Unclosed(inner))) {
      medium.write(0, text(), 0, LENGTH);
      inner.write(0, text(), 0, LENGTH);
      for (ByteBuffer dst :
          new ByteBuffer[] {ByteBuffer.allocate(9000), ByteBuffer.allocateDirect(9000)}) {
        while (dst.hasRemaining()) {
          dst.put((byte) 7);
        }
        dst.clear().position(700);
        assertThatThrownBy(() -> medium.read(0, dst, LENGTH)).isInstanceOf(IOException.class);
        for (int i = 0; i < dst.capacity(); i++) {
          if (i < 700 || i >= 700 + LENGTH) {
            assertThat(dst.get(i)).as("byte %d", i).isEqualTo((byte) 7);
          }
        }
      }
    }
  }

  @Test
  void shouldLeaveNothingReadable() throws IOException {
    Path file = directory.resolve("blocks");
    try (BlockCache cache =
        BlockCache.builder()
            .mappedFile(file, 4 << 20)
            .encrypted()
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build()) {
      cache.offer(1, 0, text(), Source.READ);
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      assertThat(cache.get(1, 0, dst)).isEqualTo(LENGTH);
      assertThat(dst.flip()).isEqualTo(text());
      ByteBuffer part = ByteBuffer.allocate(10);
      assertThat(cache.getRange(1, 0, 4000, part)).isEqualTo(10);
      assertThat(part.flip()).isEqualTo(text().slice(4000, 10));
      try (PinnedBlock pin = cache.pin(1, 0)) {
        assertThat(pin.buffer()).isEqualTo(text());
      }
    }
    String stored =
        new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
    assertThat(stored.chars().filter(c -> c != 0).count()).as("bytes stored").isGreaterThan(4900);
    assertThat(stored).doesNotContain("quick").doesNotContain("the ");
  }

  @Test
  void shouldClearTheKeyBytesItWasMadeOf() throws IOException {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    try (Medium medium = EncryptedMedium.over(NativeMedium.allocate(1 << 20), key)) {
      assertThat(key).containsOnly(0);
      medium.write(0, text(), 0, LENGTH);
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      medium.read(0, dst, LENGTH);
      assertThat(dst).as("under the key it was given").isEqualTo(text());
    }
  }

  @Test
  void shouldNeverStoreTheSameBytesTwice() throws IOException {
    try (NativeMedium inner = NativeMedium.allocate(1 << 20);
        Medium medium = EncryptedMedium.over(new Unclosed(inner))) {
      ByteBuffer first = ByteBuffer.allocate(LENGTH);
      ByteBuffer second = ByteBuffer.allocate(LENGTH);
      medium.write(0, text(), 0, LENGTH);
      inner.read(0, first, LENGTH);
      medium.write(0, text(), 0, LENGTH);
      inner.read(0, second, LENGTH);
      assertThat(first).isNotEqualTo(second);
    }
  }

  @Test
  void shouldRefuseWhatWasChangedCutOrMoved() throws IOException {
    try (NativeMedium inner = NativeMedium.allocate(1 << 20);
        Medium medium = EncryptedMedium.over(new Unclosed(inner))) {
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      medium.write(0, text(), 0, LENGTH);
      medium.write(8192, text(), 0, LENGTH);
      assertThatThrownBy(() -> medium.read(0, dst, LENGTH - 1)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> medium.read(16384, dst, LENGTH)).isInstanceOf(IOException.class);

      ByteBuffer stored = ByteBuffer.allocate(LENGTH);
      inner.read(0, stored, LENGTH);
      inner.write(8192, stored, 0, LENGTH);
      assertThatThrownBy(() -> medium.read(8192, dst, LENGTH))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the block at 8192 is not what was written there");
      inner.write(4000, ByteBuffer.wrap(new byte[] {(byte) ~stored.get(4000)}), 0, 1);
      assertThatThrownBy(() -> medium.read(0, dst, LENGTH)).isInstanceOf(IOException.class);
    }
  }

  /** Each byte of the block in turn, each shorter length, and each other place. */
  @Test
  void shouldRefuseABlockWhateverWasChangedCutOrMoved() throws IOException {
    try (NativeMedium inner = NativeMedium.allocate(1 << 20);
        Medium medium = EncryptedMedium.over(new Unclosed(inner))) {
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      medium.write(0, text(), 0, LENGTH);
      ByteBuffer stored = ByteBuffer.allocate(LENGTH);
      inner.read(0, stored, LENGTH);
      int refused = 0;
      for (int at = 0; at < LENGTH; at++) {
        inner.write(at, ByteBuffer.wrap(new byte[] {(byte) (stored.get(at) ^ 1)}), 0, 1);
        refused += refuses(medium, 0, dst, LENGTH);
        inner.write(at, stored, at, 1);
      }
      for (int length = 1; length < LENGTH; length++) {
        refused += refuses(medium, 0, dst, length);
      }
      int places = 0;
      for (long to = 2L * GRANULE; to <= (1 << 20) - 2L * GRANULE; to += 2L * GRANULE, places++) {
        medium.write(to, text(), 0, LENGTH);
        inner.write(to, stored, 0, LENGTH);
        refused += refuses(medium, to, dst, LENGTH);
      }
      System.out.printf("%,d changed, cut or moved blocks were refused%n", refused);
      assertThat(refused).isEqualTo(LENGTH + LENGTH - 1 + places);
      medium.read(0, dst, LENGTH);
      assertThat(dst).as("as it was written").isEqualTo(text());
    }
  }

  private static int refuses(Medium medium, long offset, ByteBuffer dst, int length) {
    try {
      medium.read(offset, dst, length);
      return 0;
    } catch (IOException expected) {
      return 1;
    }
  }

  @Test
  void shouldCountAChangedBlockAsAFailure() throws IOException {
    NativeMedium inner = NativeMedium.allocate(4 << 20);
    try (BlockCache cache =
        BlockCache.builder()
            .medium(EncryptedMedium.over(inner))
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build()) {
      cache.offer(1, 0, TestBlock.of(1, 0, LENGTH & -8), Source.READ);
      inner.write(10, ByteBuffer.wrap(new byte[] {1, 2, 3}), 0, 3);
      assertThat(cache.get(1, 0, ByteBuffer.allocate(LENGTH))).isEqualTo(BlockCache.MISS);
      assertThat(cache.stats().mediumFailures()).isEqualTo(1);
    }
  }

  @Test
  void shouldServeManyThreads() throws Exception {
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .encrypted()
            .maxBlockBytes(4096)
            .expectedBlockBytes(4096)
            .admission(AdmissionPresets.admitAll())
            .eviction(FifoEviction::new)
            .build()) {
      AtomicLong hits = new AtomicLong();
      Race.run(
          4,
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            ByteBuffer dst = ByteBuffer.allocate(4096);
            for (int i = 0; i < 10_000; i++) {
              long offset = random.nextInt(400) * 4096L;
              int length = TestBlock.length(1, offset, 64, 4096);
              if (cache.get(1, offset, dst.clear()) == BlockCache.MISS) {
                cache.offer(1, offset, TestBlock.of(1, offset, length), Source.READ);
              } else {
                hits.incrementAndGet();
                TestBlock.assertMatches(dst.flip(), 1, offset, length);
              }
            }
          });
      assertThat(hits.get()).isGreaterThan(4_000);
      assertThat(cache.stats().mediumFailures()).isZero();
    }
  }

  /** A medium that others close. */
  private static final class Unclosed extends ForwardingMedium {
    Unclosed(Medium inner) {
      super(inner);
    }

    @Override
    public void close() {}
  }
}
