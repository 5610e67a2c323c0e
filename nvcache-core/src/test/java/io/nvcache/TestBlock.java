// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

/**
 * Blocks that describe themselves: every eight bytes can be checked against the block's name, so
 * that a byte of any other block, or of another version, is found out.
 *
 * <p>The length is a function of the name too, so that a block is always the same.
 */
public final class TestBlock {
  private TestBlock() {}

  /** Between {@code min} and {@code max} bytes, a multiple of eight. */
  public static int length(long fileId, long offset, int min, int max) {
    long steps = (max - min) / 8 + 1L;
    return min + 8 * (int) Long.remainderUnsigned(mix(fileId * 31 + offset), steps);
  }

  /** Makes a block on the heap. */
  public static ByteBuffer of(long fileId, long offset, int length) {
    ByteBuffer block = ByteBuffer.allocate(length);
    write(block, fileId, offset, length);
    return block.flip();
  }

  /** Writes a block at the buffer's position. */
  public static void write(ByteBuffer block, long fileId, long offset, int length) {
    for (int i = 0; i < length; i += 8) {
      block.putLong(word(fileId, offset, i));
    }
  }

  /** Whether the buffer's remaining bytes are the block's. */
  public static boolean matches(ByteBuffer block, long fileId, long offset, int length) {
    if (block.remaining() != length) {
      return false;
    }
    int position = block.position();
    for (int i = 0; i < length; i += 8) {
      if (block.getLong(position + i) != word(fileId, offset, i)) {
        return false;
      }
    }
    return true;
  }

  public static void assertMatches(ByteBuffer block, long fileId, long offset, int length) {
    assertThat(matches(block, fileId, offset, length))
        .as("block %d:%d of %d bytes, got %d", fileId, offset, length, block.remaining())
        .isTrue();
  }

  private static long word(long fileId, long offset, int at) {
    return mix(mix(fileId) + 3 * offset + at);
  }

  private static long mix(long value) {
    long h = (value ^ (value >>> 32)) * 0xd6e8feb86659fd93L;
    return h ^ (h >>> 32);
  }
}
