// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.memory.RawMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Writes cache lines of mapped persistent memory back by PMDK's libpmem, which LLPL calls. It knows
 * what the processor has, and does no more than is needed: where the caches outlive a loss of power
 * (eADR), it only fences.
 *
 * <p>libpmem does what its caller says: of a file that is not mapped from persistent memory, the
 * bytes survive the end of the process, and no loss of power.
 */
public final class PmemLines {
  private PmemLines() {}

  /**
   * Returns once bytes of a mapped buffer are on the medium.
   *
   * @throws LinkageError if LLPL can't be used; {@link PmemLibraries#problem} says why
   */
  public static void persist(ByteBuffer mapped, int at, int length) {
    if (!mapped.isDirect()) {
      throw new IllegalArgumentException(
          "the buffer is in the heap, and has no cache lines to write back; map a file");
    }
    Objects.checkFromIndexSize(at, length, mapped.capacity());
    try {
      HeapAccess.flush(RawMemory.bufferAddress(mapped) + at, length);
    } finally {
      Reference.reachabilityFence(mapped);
    }
  }
}
