// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.PinnedBlock;
import io.nvcache.internal.gate.CallerBuffers;
import java.nio.ByteBuffer;

/** A pin on a medium that can't be read in place: the caller's own copy of the block. */
final class CopyPin implements PinnedBlock {
  private final ByteBuffer copy;
  private volatile boolean closed;

  CopyPin(ByteBuffer copy) {
    this.copy = copy.asReadOnlyBuffer();
  }

  @Override
  public int length() {
    return copy.capacity();
  }

  @Override
  public ByteBuffer buffer() {
    checkOpen();
    return copy.duplicate();
  }

  @Override
  public long getLong(int index) {
    checkOpen();
    return copy.getLong(index);
  }

  @Override
  public void copyTo(ByteBuffer dst) {
    CallerBuffers.checkRoom(dst, length());
    CallerBuffers.put(dst, buffer());
  }

  private void checkOpen() {
    if (closed) {
      throw CallerBuffers.closed();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
