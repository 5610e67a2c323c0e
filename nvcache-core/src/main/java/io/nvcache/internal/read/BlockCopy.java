// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * Memory for the copy of a block, which one pin has at a time. When it has ended, its views show
 * another block, as those of a block in place do; while there are views, the memory stays
 * allocated.
 */
final class BlockCopy implements PinnedMemory {
  private final MediumHandle medium;
  private final ByteBuffer bytes;

  BlockCopy(MediumHandle medium, ByteBuffer bytes) {
    this.medium = medium;
    this.bytes = bytes;
  }

  /** Returns all of the memory, to be filled by the thread that took it. */
  ByteBuffer room() {
    return bytes.clear();
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
