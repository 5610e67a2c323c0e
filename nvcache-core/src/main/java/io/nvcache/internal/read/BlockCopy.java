// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * A copy of a block for one pin. Its memory is lent again when the pin has ended, unless a thread
 * may still read it unseen; then it is left to the garbage collector.
 */
final class BlockCopy implements PinnedMemory {
  private final MediumHandle medium;
  private final ByteBuffer bytes;
  private volatile boolean readUnseen;

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

  boolean isReadUnseen() {
    return readUnseen;
  }

  @Override
  public boolean isFileBacked() {
    return false;
  }

  @Override
  public void allowUnseenReads() {
    readUnseen = true;
  }

  @Override
  public MediumHandle medium() {
    return medium;
  }
}
