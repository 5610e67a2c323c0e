// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An offered block: its length, and its bytes or a way to come by them once they are wanted. Lives
 * as long as the call, on the calling thread.
 */
final class Candidate {
  private final int lengthBytes;
  private final @Nullable Supplier<ByteBuffer> supplier;
  private @Nullable ByteBuffer bytes;
  private int position;

  /** Bytes that are there. */
  Candidate(int lengthBytes, ByteBuffer bytes, int position) {
    this.lengthBytes = lengthBytes;
    this.bytes = bytes;
    this.position = position;
    this.supplier = null;
  }

  /** Bytes that are to be asked for. */
  Candidate(int lengthBytes, Supplier<ByteBuffer> supplier) {
    this.lengthBytes = lengthBytes;
    this.supplier = supplier;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /**
   * The block's bytes; its first is at {@link #position}.
   *
   * @throws IllegalArgumentException if there are not as many as announced
   */
  ByteBuffer bytes() {
    ByteBuffer known = bytes;
    return known != null ? known : supply(Objects.requireNonNull(supplier));
  }

  private ByteBuffer supply(Supplier<ByteBuffer> supplier) {
    ByteBuffer supplied = supplier.get();
    position = supplied.position();
    if (supplied.remaining() != lengthBytes) {
      throw new IllegalArgumentException(
          "the block has "
              + supplied.remaining()
              + " bytes, but was announced with "
              + lengthBytes
              + "; give as many as announced");
    }
    bytes = supplied;
    return supplied;
  }

  /** Where the block begins in {@link #bytes}, which was called before. */
  int position() {
    return position;
  }
}
