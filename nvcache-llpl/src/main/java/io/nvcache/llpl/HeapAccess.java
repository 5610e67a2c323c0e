// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import com.intel.pmem.llpl.AnyHeap;
import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.MemoryAccessor;
import com.intel.pmem.llpl.MemoryBlock;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/**
 * Calls the methods that LLPL 1.2.0 keeps to its own package and that a cache needs: the address of
 * a block, flushing, and closing a heap. By method handles, which are constants to the compiler: a
 * class in LLPL's package would split that package between two modules. docs/inside/decisions/0007
 * has the alternatives.
 */
final class HeapAccess {
  private static final MethodHandle PAYLOAD_ADDRESS;
  private static final MethodHandle NATIVE_FLUSH;
  private static final MethodHandle GET_HEAP;
  private static final MethodHandle CLOSE;

  static {
    try {
      Lookup llpl = MethodHandles.privateLookupIn(MemoryAccessor.class, MethodHandles.lookup());
      PAYLOAD_ADDRESS =
          llpl.findVirtual(
              MemoryAccessor.class,
              "payloadAddress",
              MethodType.methodType(long.class, long.class));
      NATIVE_FLUSH =
          llpl.findStatic(
              MemoryAccessor.class,
              "nativeFlush",
              MethodType.methodType(void.class, long.class, long.class));
      GET_HEAP =
          llpl.findStatic(
              AnyHeap.class, "getHeap", MethodType.methodType(boolean.class, String.class));
      CLOSE = llpl.findVirtual(AnyHeap.class, "close", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this is not LLPL 1.2.0: " + e.getMessage(), e);
    }
  }

  private HeapAccess() {}

  /** Returns the address of the first byte of a block; valid until its heap is closed. */
  static long address(MemoryBlock block) {
    try {
      return (long) PAYLOAD_ADDRESS.invokeExact((MemoryAccessor) block, 0L);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Flushes the CPU's caches over a range of a heap, which must lie inside a block. */
  static void flush(long address, long length) {
    try {
      NATIVE_FLUSH.invokeExact(address, length);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Returns whether this process has opened a heap by exactly this path. */
  static boolean isOpen(String path) {
    try {
      return (boolean) GET_HEAP.invokeExact(path);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Unmaps a heap and releases its lock. Reading one of its addresses then ends the JVM. */
  static void close(Heap heap) {
    try {
      CLOSE.invokeExact((AnyHeap) heap);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Loads the native libraries, or throws the {@link LinkageError} that says which is missing. */
  static long minimumHeapBytes() {
    return AnyHeap.MINIMUM_HEAP_SIZE;
  }

  /** Returns what the methods called can throw; they declare no checked exception. */
  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException(failure);
  }
}
