// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a JDK on memory outside the heap: access by address, allocation, mapping of
 * files, and what the public API of buffers does not show. {@link RawMemory} selects one
 * implementation when it is initialized, and all other code is the same on both:
 *
 * <ul>
 *   <li>{@link UnsafeMemory}, {@code sun.misc.Unsafe} and Chronicle Bytes, on JDK 17 to 21;
 *   <li>{@code ForeignMemory}, {@code java.lang.foreign}, on 22 and later. It is in the
 *       multi-release part of the jar, and missing where a JDK before 22 built that.
 * </ul>
 *
 * <p>The implementation is a constant to the JIT compilers, which therefore inline its methods.
 * None checks an address; buffers are checked by the callers.
 */
abstract class AddressedMemory {
  /** Selects an implementation: {@code unsafe} or {@code foreign}. */
  private static final String PROPERTY = "nvcache.memory";

  /** Memory that is released once, when no thread accesses it any more. */
  interface Range {
    /** Returns the address of the first byte. */
    long address();

    void release();
  }

  /**
   * Selects the implementation for this JVM.
   *
   * @throws IllegalStateException if the JVM denies them all, or the one that {@code
   *     -Dnvcache.memory} names
   */
  static AddressedMemory select() {
    String wanted = System.getProperty(PROPERTY, "");
    if (!List.of("", "unsafe", "foreign").contains(wanted)) {
      throw new IllegalStateException(
          "-D" + PROPERTY + " is " + wanted + "; it must be unsafe or foreign, or not set");
    }
    IllegalStateException denial = null;
    if (!wanted.equals("unsafe") && Runtime.version().feature() >= ForeignTwin.FIRST_JDK) {
      try {
        return ForeignTwin.of(AddressedMemory.class, "ForeignMemory");
      } catch (ClassNotFoundException e) {
        denial =
            new IllegalStateException(
                "this build of nvcache-core has no java.lang.foreign; build it with a JDK "
                    + ForeignTwin.FIRST_JDK
                    + " or later",
                e);
      } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
        denial =
            denied("java.lang.foreign", e, "--enable-native-access=" + target(RawMemory.class));
      }
    }
    if (wanted.equals("foreign")) {
      throw denial != null
          ? denial
          : new IllegalStateException(
              "-D" + PROPERTY + "=foreign needs a JDK " + ForeignTwin.FIRST_JDK + " or later");
    }
    try {
      return new UnsafeMemory();
    } catch (LinkageError | RuntimeException e) {
      IllegalStateException reason =
          denial != null && !(denial.getCause() instanceof ClassNotFoundException)
              ? denial
              : denied("sun.misc.Unsafe", e, "--sun-misc-unsafe-memory-access=allow");
      reason.addSuppressed(e);
      throw reason;
    }
  }

  private static IllegalStateException denied(String what, Throwable failure, String flag) {
    Throwable reason = failure;
    while (reason.getCause() != null
        && (reason instanceof InvocationTargetException || reason instanceof LinkageError)) {
      reason = reason.getCause();
    }
    return new IllegalStateException(
        "the JVM denies "
            + what
            + " the memory that the index and the media lie in ("
            + reason
            + "); start it with "
            + flag,
        failure);
  }

  /** Returns what flags of the JVM call the module of a class. */
  static String target(Class<?> type) {
    return type.getModule().isNamed() ? type.getModule().getName() : "ALL-UNNAMED";
  }

  /** Returns the name of the implementation for logs and statistics. */
  abstract String name();

  abstract byte getByte(long address);

  abstract byte getByteVolatile(long address);

  abstract void putByte(long address, byte value);

  abstract short getShort(long address);

  abstract void putShort(long address, short value);

  abstract int getInt(long address);

  abstract void putInt(long address, int value);

  abstract long getLong(long address);

  abstract void putLong(long address, long value);

  abstract int getIntVolatile(long address);

  abstract void putIntRelease(long address, int value);

  abstract boolean compareAndSwapInt(long address, int expected, int value);

  abstract int getAndAddInt(long address, int delta);

  abstract void loadFence();

  abstract void storeFence();

  abstract void fill(long address, long length, byte value);

  abstract void copy(long from, long to, long length);

  abstract void copyOut(long from, byte[] to, int index, int length);

  // Numbers in native order, at any alignment.

  abstract void copyOut(long from, int[] to, int index, int count);

  abstract void copyOut(long from, long[] to, int index, int count);

  abstract void copyOut(long from, float[] to, int index, int count);

  abstract void copyIn(byte[] from, int index, long to, int length);

  /** Copies word by word. */
  abstract void copyWordsOut(long from, byte[] to, int index, int length);

  /** Copies bytes of a heap buffer that {@linkplain #array hides its array}. */
  abstract void copyHiddenIn(ByteBuffer from, int position, long to, int length);

  /** Returns the array of a heap buffer; null if only the JDK may see it. */
  abstract byte @Nullable [] array(ByteBuffer heapBuffer);

  /** Returns where in its {@linkplain #array array} a heap buffer begins. */
  abstract int arrayOffset(ByteBuffer heapBuffer);

  /** Returns the address of the first byte of a direct buffer, wherever its position is. */
  abstract long bufferAddress(ByteBuffer direct);

  /** Returns whether the memory of a direct buffer {@linkplain RawMemory#mayVanish may vanish}. */
  abstract boolean mayVanish(ByteBuffer direct);

  /** Adds bytes of a buffer to a checksum. The caller keeps the buffer reachable. */
  abstract void sum(CRC32C crc, ByteBuffer bytes, int position, int length);

  /** Returns a {@linkplain RawMemory#view view}. */
  abstract ByteBuffer view(long address, int length, MemoryOwner owner);

  /** Returns a buffer that can be written to, and is otherwise a view. */
  abstract ByteBuffer writableView(long address, int length, MemoryOwner owner);

  abstract int pageBytes();

  /**
   * Allocates memory that may hold anything.
   *
   * @throws OutOfMemoryError if the system does not give as much
   */
  abstract Range allocate(long sizeBytes);

  /**
   * Returns if files can be mapped.
   *
   * @throws IllegalStateException if not; names the flags that are missing
   */
  abstract void requireMapping();

  /** Maps a file from its beginning. */
  abstract Range map(FileChannel channel, long lengthBytes) throws IOException;

  /**
   * Lets no interrupt close a channel of the JDK's.
   *
   * @throws IllegalStateException if the JDK's channels have no such flag, or the JVM hides it
   */
  abstract void makeUninterruptible(FileChannel channel);
}
