// SPDX-License-Identifier: Apache-2.0
package com.intel.pmem.llpl;

import org.jspecify.annotations.NullMarked;

/**
 * What LLPL 1.2.0 keeps from other packages and a cache can't do without: where a block lies in
 * memory, and how to close a heap. It is in LLPL's package to be compiled against it;
 * docs/understand/decisions/0007 has the alternatives.
 */
@NullMarked
public final class HeapAccess {
  private HeapAccess() {}

  /** The address of the first byte of a block; valid until its heap is closed. */
  public static long address(MemoryBlock block) {
    return block.payloadAddress(0);
  }

  /** Flushes the caches over a range of a heap, which must lie inside a block. */
  public static void flush(long address, long length) {
    MemoryAccessor.nativeFlush(address, length);
  }

  /** Whether this process has opened a heap by exactly this path. */
  public static boolean isOpen(String path) {
    return AnyHeap.getHeap(path);
  }

  /** Unmaps a heap and gives up its lock. Reading one of its addresses then ends the JVM. */
  public static void close(Heap heap) {
    heap.close();
  }

  /** Loads the native libraries, or throws the {@link LinkageError} that says which is missing. */
  public static long minimumHeapBytes() {
    return AnyHeap.MINIMUM_HEAP_SIZE;
  }
}
