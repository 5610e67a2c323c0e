// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.internal.space.Sizing;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RegionCipherTest {
  private static final int LENGTH = 100;
  private static final long GENERATION = 7;
  private static final int HEADER = RegionLayout.BLOCK_HEADER_BYTES;
  private static final int TAG = RegionCipher.BLOCK_TAG_BYTES;

  private static final int REGION = 3;
  private static final Sizing SIZING = Sizing.ofRegions(4 << 20, 64 << 10, 4096, 4096, 4096);

  private final RegionCipher cipher = RegionCipher.ephemeral(SIZING);

  @BeforeEach
  void setUp() {
    cipher.openRegion(REGION, ByteBuffer.allocate(4096), 0);
  }

  private static ByteBuffer header(long hash, int length, long granule) {
    return RegionLayout.sealedHeader(hash, GENERATION, length, granule);
  }

  /** Seals a block of zeros, and returns its bytes and its tag. */
  private ByteBuffer seal(ByteBuffer header, long generation) {
    ByteBuffer sealed = ByteBuffer.allocate(LENGTH + TAG);
    cipher.sealBlock(
        REGION, header, generation, ByteBuffer.allocate(LENGTH), 0, LENGTH, sealed::put);
    return sealed.flip();
  }

  private boolean opens(ByteBuffer header, long generation, ByteBuffer sealed, int length) {
    ByteBuffer tagged = ByteBuffer.allocate(HEADER).put(HEADER - TAG, sealed, LENGTH, TAG);
    ByteBuffer plain =
        cipher.openBlock(
            REGION,
            header,
            generation,
            tagged,
            length,
            room -> {
              room.put(0, sealed, 0, length);
              return true;
            },
            new RegionCipher.Room());
    return plain != null && plain.equals(ByteBuffer.allocate(LENGTH));
  }

  @Test
  void shouldOpenWhatItSealed() {
    assertThat(opens(header(1, LENGTH, 2), GENERATION, seal(header(1, LENGTH, 2), 7), LENGTH))
        .isTrue();
  }

  @Test
  void shouldOpenNothingElse() {
    ByteBuffer sealed = seal(header(1, LENGTH, 2), GENERATION);
    assertThat(opens(header(9, LENGTH, 2), GENERATION, sealed, LENGTH)).isFalse();
    assertThat(opens(header(1, LENGTH, 9), GENERATION, sealed, LENGTH)).isFalse();
    assertThat(opens(header(1, LENGTH - 1, 2), GENERATION, sealed, LENGTH)).isFalse();
    assertThat(opens(header(1, LENGTH, 2), GENERATION, sealed, LENGTH - 1)).isFalse();
    assertThat(opens(header(1, LENGTH, 2), 9, sealed, LENGTH)).isFalse();
    for (int at = 0; at < sealed.limit(); at++) {
      ByteBuffer changed = ByteBuffer.allocate(LENGTH + TAG).put(0, sealed, 0, LENGTH + TAG);
      changed.put(at, (byte) (changed.get(at) ^ 1));
      assertThat(opens(header(1, LENGTH, 2), GENERATION, changed, LENGTH)).isFalse();
    }
  }

  /** The same bytes: an equal key stream would show. */
  @Test
  void shouldSealEachPlaceOfEachGenerationUnlikeTheOthers() {
    Set<ByteBuffer> streams = new HashSet<>();
    for (long generation : new long[] {0, 1, 2, 1L << 32, 1L << 62}) {
      for (long granule : new long[] {0, 1, 64, 0xFFFF_FFFEL}) {
        streams.add(seal(header(1, LENGTH, granule), generation).slice(0, LENGTH));
      }
    }
    assertThat(streams).hasSize(20);
  }

  @Test
  void shouldOpenAFooterOfItsGenerationAlone() {
    int head = 200;
    int length = head + RegionFooter.HEAD_BYTES;
    for (int changed = -1; changed < length; changed++) {
      long generation = changed + 1L; // Each nonce once: the JDK refuses the second time.
      ByteBuffer footer = ByteBuffer.allocate(length);
      cipher.sealFooter(footer, REGION, generation);
      assertThat(footer.slice(0, head)).isNotEqualTo(ByteBuffer.allocate(head));
      if (changed >= 0) {
        footer.put(changed, (byte) (footer.get(changed) ^ 1));
      }
      assertThat(cipher.openFooter(footer, REGION, generation)).isEqualTo(changed < 0);
    }
    ByteBuffer footer = ByteBuffer.allocate(length);
    cipher.sealFooter(footer, REGION, length + 1L);
    assertThat(cipher.openFooter(footer, REGION, length + 2L)).isFalse();
  }
}
