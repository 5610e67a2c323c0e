// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** What leases and lookups check alike of the buffers of callers. */
final class BufferChecks {
  private BufferChecks() {}

  static void checkRoom(ByteBuffer dst, int length) {
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (dst.remaining() < length) {
      throw new BufferOverflowException();
    }
    checkAlive(dst);
  }

  /**
   * Reads a byte of the caller's buffer by its own means, which know whether its memory was freed,
   * as that of a closed arena is (JDK 22 and later): what copies to and from it goes by address.
   */
  static void checkAlive(ByteBuffer buffer) {
    if (buffer.isDirect() && buffer.hasRemaining()) {
      byte unused = buffer.get(buffer.position());
    }
  }

  static IllegalStateException closed() {
    return new IllegalStateException("the lease is closed; pin the block again to read it");
  }
}
