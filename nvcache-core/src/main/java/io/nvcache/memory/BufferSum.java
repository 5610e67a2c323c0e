// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Sums up bytes of a buffer by CRC-32C, whatever its position and limit, and without garbage: the
 * JDK does so for arrays only, and reads a buffer at its position, which may be another thread's to
 * move. So heap buffers are read by their arrays, and others through a window onto their memory.
 */
public final class BufferSum {
  /** One for each thread, since lookups and offers allocate nothing. */
  private static final ThreadLocal<BufferSum> OF_THREAD = ThreadLocal.withInitial(BufferSum::new);

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer window = RawMemory.window();

  private BufferSum() {}

  /** The CRC-32C of {@code length} bytes from {@code position} on. */
  public static int of(ByteBuffer bytes, int position, int length) {
    Objects.checkFromIndexSize(position, length, bytes.capacity());
    return OF_THREAD.get().sum(bytes, position, length);
  }

  private int sum(ByteBuffer bytes, int position, int length) {
    crc.reset();
    if (bytes.isDirect()) {
      try {
        crc.update(RawMemory.open(window, bytes, position, length));
      } finally {
        Reference.reachabilityFence(bytes);
      }
    } else {
      crc.update(RawMemory.array(bytes), RawMemory.arrayOffset(bytes) + position, length);
    }
    return (int) crc.getValue();
  }
}
