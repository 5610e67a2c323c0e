// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.AlignedBuffer;
import java.nio.ByteBuffer;

/**
 * Memory for the copy of a block, which one pin has at a time. When it has ended, its views show
 * another block, as a block's in place do; while there are views, the memory stays allocated.
 */
final class BlockCopy implements PinnedMemory {
  private final MediumHandle medium;
  private final AlignedBuffer buffer;

  BlockCopy(MediumHandle medium, AlignedBuffer buffer) {
    this.medium = medium;
    this.buffer = buffer;
  }

  AlignedBuffer buffer() {
    return buffer;
  }

  /** Returns all of the memory, to be filled by the thread that took it. */
  ByteBuffer room() {
    return buffer.first(buffer.capacityBytes());
  }

  long address() {
    return buffer.address();
  }

  @Override
  public boolean isFileBacked() {
    return false;
  }

  /** Whoever reads it holds the buffer. */
  @Override
  public void allowUnseenReads() {
    buffer.leaveToCollector();
  }

  @Override
  public MediumHandle medium() {
    return medium;
  }
}
