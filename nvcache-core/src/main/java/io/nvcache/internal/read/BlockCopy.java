// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * A copy of a block for one pin. Its memory is lent again when the pin has ended. A view of the pin
 * then shows another block, as one of a block in place does; while there are views, the memory
 * stays allocated.
 */
final class BlockCopy implements PinnedMemory {
  private final MediumHandle medium;
  private final ByteBuffer bytes;

  BlockCopy(MediumHandle medium, ByteBuffer bytes) {
    this.medium = medium;
    this.bytes = bytes;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  long address() {
    return RawMemory.bufferAddress(bytes);
  }

  @Override
  public boolean isFileBacked() {
    return false;
  }

  /** Whoever reads it holds the buffer, which the garbage collector frees. */
  @Override
  public void allowUnseenReads() {}

  @Override
  public MediumHandle medium() {
    return medium;
  }
}
