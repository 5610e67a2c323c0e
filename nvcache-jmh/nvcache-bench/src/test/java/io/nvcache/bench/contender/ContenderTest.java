// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each contender has to return the bytes that were put in: a fast wrong answer is worth nothing.
 */
class ContenderTest {
  private static final ByteBuffer WORD = ByteBuffer.allocate(Long.BYTES);
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int CAPACITY_BLOCKS = 512;
  private static final int BLOCKS = 400;

  private static ByteBuffer block(long key, int version) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new Random(key * 31 + version).nextBytes(bytes);
    return ByteBuffer.wrap(bytes).putLong(0, Contender.stamp(key));
  }

  private static Contender open(ContenderKind kind) {
    assumeTrue(kind.missingFlags().isEmpty(), () -> kind.label() + " needs " + kind.missingFlags());
    return kind.open(BLOCK_BYTES, CAPACITY_BLOCKS);
  }

  private static void assertHolds(Contender contender, long key, int version) {
    ByteBuffer expected = block(key, version);
    // Not at its start and not to its end, to see that the position counts.
    for (ByteBuffer dst :
        new ByteBuffer[] {
          ByteBuffer.allocate(BLOCK_BYTES + 32), ByteBuffer.allocateDirect(BLOCK_BYTES + 32)
        }) {
      dst.position(16);
      assertThat(contender.get(key, dst)).as("block " + key).isTrue();
      assertThat(dst.position()).isEqualTo(16 + BLOCK_BYTES);
      assertThat(dst.slice(16, BLOCK_BYTES)).as("block " + key).isEqualTo(expected);
      assertThat(dst.getLong(8)).as("before the block").isZero();
      assertThat(dst.getLong(16 + BLOCK_BYTES)).as("behind the block").isZero();
    }
    if (contender.isZeroCopy()) {
      assertThat(contender.touch(key, 0, WORD.clear())).isEqualTo(Contender.stamp(key));
      int at = BLOCK_BYTES - Lane.LINE_BYTES;
      assertThat(contender.touch(key, at, WORD.clear())).isEqualTo(expected.getLong(at));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnTheBytesPutIn(ContenderKind kind) {
    try (Contender contender = open(kind)) {
      int present = 0;
      for (long key = 0; key < BLOCKS; key++) {
        // Half of them from direct buffers.
        ByteBuffer block = block(key, 0);
        if (key % 2 == 0) {
          block = ByteBuffer.allocateDirect(BLOCK_BYTES).put(block).flip();
        }
        contender.put(key, block);
        assertThat(block.remaining()).as("what remains of the block").isEqualTo(BLOCK_BYTES);
      }
      contender.settle();
      for (long key = 0; key < BLOCKS; key++) {
        if (contender.get(key, ByteBuffer.allocate(BLOCK_BYTES))) {
          assertHolds(contender, key, 0);
          present++;
        }
      }
      assertThat(present).as("blocks there").isGreaterThan(BLOCKS * 97 / 100);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMissWhatWasNeverPutIn(ContenderKind kind) {
    try (Contender contender = open(kind)) {
      contender.put(1, block(1, 0));
      contender.settle();

      assertThat(contender.get(2, ByteBuffer.allocate(BLOCK_BYTES))).isFalse();
      assertThat(contender.get(BlockNumbering.ABSENT_BLOCKS + 1, ByteBuffer.allocate(BLOCK_BYTES)))
          .isFalse();
      if (contender.isZeroCopy()) {
        assertThat(contender.touch(2, 0, WORD.clear())).isEqualTo(Contender.ABSENT);
      } else {
        assertThatThrownBy(() -> contender.touch(1, 0, WORD.clear()))
            .isInstanceOf(UnsupportedOperationException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnTheNewerVersion(ContenderKind kind) {
    try (Contender contender = open(kind)) {
      for (int version = 0; version < 3; version++) {
        for (long key = 0; key < 20; key++) {
          if (version == 0) {
            contender.put(key, block(key, version));
          } else {
            contender.replace(key, block(key, version));
          }
        }
        contender.settle();
        for (long key = 0; key < 20; key++) {
          assertHolds(contender, key, version);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepToItsCapacityAndTakeNewBlocks(ContenderKind kind) {
    try (Contender contender = open(kind)) {
      int blocks = 4 * CAPACITY_BLOCKS;
      for (long key = 0; key < blocks; key++) {
        contender.put(key, block(key, 0));
      }
      contender.settle();
      int present = 0;
      int recent = 0;
      for (long key = 0; key < blocks; key++) {
        if (contender.get(key, ByteBuffer.allocate(BLOCK_BYTES))) {
          assertHolds(contender, key, 0);
          present++;
          recent += key >= blocks - CAPACITY_BLOCKS / 8 ? 1 : 0;
        }
      }
      assertThat(present).as("blocks there").isBetween(CAPACITY_BLOCKS / 2, CAPACITY_BLOCKS * 2);
      assertThat(recent).as("of the last " + CAPACITY_BLOCKS / 8).isPositive();
    }
  }
}
