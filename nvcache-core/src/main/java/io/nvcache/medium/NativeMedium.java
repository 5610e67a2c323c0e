// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.OffHeapBytes;

/**
 * Plain off-heap memory: the default, for embedding and for machines whose slow memory the
 * operating system presents as memory (CXL, a CPU-less NUMA node).
 *
 * <p>Memory is taken from the system page by page as blocks are first written. It is never shown
 * before it was written, so it is not zeroed.
 */
public final class NativeMedium extends MemoryMedium {
  private static final int PAGE_BYTES = 4096;
  private static final int CACHE_LINE_BYTES = 64;

  private final OffHeapBytes memory;

  private NativeMedium(OffHeapBytes memory) {
    super(memory.address(), memory.sizeBytes());
    this.memory = memory;
  }

  /**
   * Reserves memory.
   *
   * @throws IllegalArgumentException if {@code capacityBytes} is not positive, or more than the
   *     system gives
   * @throws IllegalStateException if the JVM denies access to memory; names the flag
   */
  public static NativeMedium allocate(long capacityBytes) {
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "capacityBytes is " + capacityBytes + "; give the medium at least one byte");
    }
    return new NativeMedium(OffHeapBytes.uninitialized(capacityBytes, PAGE_BYTES));
  }

  @Override
  public int alignmentBytes() {
    return CACHE_LINE_BYTES;
  }

  @Override
  public void persist(long offset, long length) {
    // Nothing that was written outlives the process.
  }

  @Override
  public Durability durability() {
    return Durability.NONE;
  }

  @Override
  public String describe() {
    return "native memory, " + capacityBytes() + " bytes";
  }

  @Override
  void free() {
    memory.close();
  }
}
