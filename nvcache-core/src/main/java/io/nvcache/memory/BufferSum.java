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
 *
 * <p>Not for memory that {@linkplain RawMemory#mayVanish may vanish}: a page that is gone ends the
 * JVM inside the instructions that compute a checksum.
 */
public final class BufferSum {
  // One for each thread, since lookups and offers allocate nothing; of the JDK's own classes, so
  // that threads do not keep the loader of this one.
  private static final ThreadLocal<CRC32C> CRC = ThreadLocal.withInitial(CRC32C::new);

  private BufferSum() {}

  /** Returns the CRC-32C of {@code length} bytes from {@code position} on. */
  public static int of(ByteBuffer bytes, int position, int length) {
    Objects.checkFromIndexSize(position, length, bytes.capacity());
    CRC32C crc = CRC.get();
    crc.reset();
    if (RawMemory.mayVanish(bytes)) {
      throw new IllegalArgumentException("a page of the buffer may be gone; sum up a copy of it");
    }
    try {
      RawMemory.MEMORY.sum(crc, bytes, position, length);
    } finally {
      Reference.reachabilityFence(bytes);
    }
    return (int) crc.getValue();
  }
}
