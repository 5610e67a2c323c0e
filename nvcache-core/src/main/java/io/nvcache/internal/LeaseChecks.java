// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** What every kind of lease checks alike. */
final class LeaseChecks {
  private LeaseChecks() {}

  static void checkRoom(ByteBuffer dst, int length) {
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (dst.remaining() < length) {
      throw new BufferOverflowException();
    }
  }

  static IllegalStateException closed() {
    return new IllegalStateException("the lease is closed; pin the block again to read it");
  }
}
