// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The one class that reads and writes memory by address.
 *
 * <p>Addresses are not checked: callers own their bounds and lifetime. Buffers are, against their
 * capacity, which never changes: a position that another thread moves during the call must not lead
 * a copy beyond them. {@link AddressedMemory} is what the JDK offers for it
 * (docs/inside/decisions/0016).
 */
public final class RawMemory {
  /** Selected once: compilers then call its methods directly, and inline them. */
  static final AddressedMemory MEMORY = AddressedMemory.select();

  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /** No likelier than any other value at the end of a block. */
  private static final long UNREAD = 0xd1a7_5e0b_93c4_f268L;

  /** Where a single number is copied to out of a mapping. */
  private static final ThreadLocal<byte[]> WORD = ThreadLocal.withInitial(() -> new byte[8]);

  private static final VarHandle ARRAY_LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle BIG_ENDIAN_LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** The length of an array that is made for its making. Not final: compilers must not know it. */
  private static int nothing;

  /** Keeps compilers from dropping that array; never written. */
  @SuppressWarnings("unused")
  private static Object faultSink = UNREAD;

  private RawMemory() {}

  public static byte getByte(long address) {
    return MEMORY.getByte(address);
  }

  public static void putByte(long address, byte value) {
    MEMORY.putByte(address, value);
  }

  public static short getShort(long address) {
    return MEMORY.getShort(address);
  }

  public static void putShort(long address, short value) {
    MEMORY.putShort(address, value);
  }

  public static int getInt(long address) {
    return MEMORY.getInt(address);
  }

  public static void putInt(long address, int value) {
    MEMORY.putInt(address, value);
  }

  public static long getLong(long address) {
    return MEMORY.getLong(address);
  }

  public static void putLong(long address, long value) {
    MEMORY.putLong(address, value);
  }

  public static int getIntVolatile(long address) {
    return MEMORY.getIntVolatile(address);
  }

  /** Stores after everything that was stored or loaded before. */
  public static void putIntRelease(long address, int value) {
    MEMORY.putIntRelease(address, value);
  }

  public static boolean compareAndSwapInt(long address, int expected, int value) {
    return MEMORY.compareAndSwapInt(address, expected, value);
  }

  public static int getAndAddInt(long address, int delta) {
    return MEMORY.getAndAddInt(address, delta);
  }

  /** Loads before the fence stay before loads and stores after it. */
  public static void loadFence() {
    MEMORY.loadFence();
  }

  /** Stores before the fence stay before stores after it. */
  public static void storeFence() {
    MEMORY.storeFence();
  }

  /** Returns eight bytes in big-endian order, at any alignment. */
  public static long getLongBigEndian(long address) {
    long value = MEMORY.getLong(address);
    return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
  }

  /** Returns eight bytes in little-endian order, at any alignment. */
  public static long getLongLittleEndian(long address) {
    long value = MEMORY.getLong(address);
    return LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** Returns four bytes in little-endian order, at any alignment. */
  public static int getIntLittleEndian(long address) {
    int value = MEMORY.getInt(address);
    return LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
  }

  /** Returns two bytes in little-endian order, at any alignment. */
  public static short getShortLittleEndian(long address) {
    short value = MEMORY.getShort(address);
    return LITTLE_ENDIAN ? value : Short.reverseBytes(value);
  }

  /** Copies into an array, whose bounds the caller has checked. */
  public static void copyOut(long address, byte[] dst, int index, int count) {
    MEMORY.copyOut(address, dst, index, count);
  }

  // Numbers, into an array of which the caller has checked the bounds.

  public static void copyOutLittleEndian(long address, int[] dst, int index, int count) {
    if (LITTLE_ENDIAN) {
      MEMORY.copyOut(address, dst, index, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      dst[index + i] = getIntLittleEndian(address + (long) i * Integer.BYTES);
    }
  }

  public static void copyOutLittleEndian(long address, long[] dst, int index, int count) {
    if (LITTLE_ENDIAN) {
      MEMORY.copyOut(address, dst, index, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      dst[index + i] = getLongLittleEndian(address + (long) i * Long.BYTES);
    }
  }

  public static void copyOutLittleEndian(long address, float[] dst, int index, int count) {
    if (LITTLE_ENDIAN) {
      MEMORY.copyOut(address, dst, index, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      dst[index + i] = Float.intBitsToFloat(getIntLittleEndian(address + (long) i * Float.BYTES));
    }
  }

  public static void fill(long address, long length, byte value) {
    MEMORY.fill(address, length, value);
  }

  /** Copies into {@code dst} at its position, which stays where it is. */
  public static void copyOut(long address, ByteBuffer dst, int length) {
    copyOut(address, dst, dst.position(), length);
  }

  /** Copies into {@code dst} from {@code position} on, whatever its own position and limit. */
  public static void copyOut(long address, ByteBuffer dst, int position, int length) {
    Objects.checkFromIndexSize(position, length, dst.capacity());
    if (dst.hasArray()) {
      MEMORY.copyOut(address, dst.array(), dst.arrayOffset() + position, length);
    } else {
      checkDirect(dst);
      try {
        MEMORY.copy(address, bufferAddress(dst) + position, length);
      } finally {
        Reference.reachabilityFence(dst);
      }
    }
  }

  /**
   * Copies like {@link #copyOut}, in the order that is quicker on this machine for blocks that come
   * from memory ({@link CopyOrder}). Not for memory that may be gone: pieces behind one that was
   * not copied are.
   */
  public static void copyBlockOut(long address, ByteBuffer dst, int position, int length) {
    if (CopyOrder.readsInStreams(length)) {
      copyStreamsOut(address, dst, position, length);
    } else {
      copyOut(address, dst, position, length);
    }
  }

  /** Copies like {@link #copyOut}, in streams ({@link StreamedCopy}). */
  public static void copyStreamsOut(long address, ByteBuffer dst, int position, int length) {
    Objects.checkFromIndexSize(position, length, dst.capacity());
    if (dst.hasArray()) {
      StreamedCopy.read(address, dst.array(), dst.arrayOffset() + position, length);
    } else {
      checkDirect(dst);
      try {
        StreamedCopy.read(address, null, bufferAddress(dst) + position, length);
      } finally {
        Reference.reachabilityFence(dst);
      }
    }
  }

  /** The address field of a heap buffer is no address; one that hides its array is read-only. */
  private static void checkDirect(ByteBuffer dst) {
    if (!dst.isDirect()) {
      throw BufferRefusals.readOnly();
    }
  }

  /**
   * Copies like {@link #copyOut}, word by word: of some tens of bytes, calling the routine for
   * copies of any length would take most of the time. Not for memory that may be gone: after a
   * fault, compiled code would store what the register held.
   */
  public static void copyFewOut(long address, ByteBuffer dst, int position, int length) {
    Objects.checkFromIndexSize(position, length, dst.capacity());
    if (dst.hasArray()) {
      MEMORY.copyWordsOut(address, dst.array(), dst.arrayOffset() + position, length);
    } else {
      checkDirect(dst);
      try {
        copyWords(address, bufferAddress(dst) + position, length);
      } finally {
        Reference.reachabilityFence(dst);
      }
    }
  }

  private static void copyWords(long from, long to, int length) {
    long shift = to - from;
    long at = from;
    long end = from + length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      MEMORY.putLong(at + shift, MEMORY.getLong(at));
    }
    for (; at < end; at++) {
      MEMORY.putByte(at + shift, MEMORY.getByte(at));
    }
  }

  /**
   * Copies like {@link #copyOut} from memory that may be gone, such as a mapping whose file was cut
   * short, and throws {@link InternalError} if it was.
   *
   * <p>Up to JDK 20 compiled code continues after such a fault, and the error is thrown some time
   * later, to the code that runs then. So the buffer's end is first given a value that only the
   * copying changes; if it is found unchanged, the thread is made to fetch an error that waits for
   * it.
   */
  public static void copyOutOfMapping(long address, ByteBuffer dst, int position, int length) {
    if (length == 0) {
      return;
    }
    Objects.checkFromIndexSize(position, length, dst.capacity());
    boolean unread;
    if (dst.hasArray()) {
      unread = copyUnread(address, dst.array(), dst.arrayOffset() + position, length);
    } else {
      checkDirect(dst);
      try {
        unread = copyUnread(address, bufferAddress(dst) + position, length);
      } finally {
        Reference.reachabilityFence(dst);
      }
    }
    if (unread) {
      deliverFaults();
    }
  }

  /** Returns whether the end of the array may not have been copied to. */
  private static boolean copyUnread(long address, byte[] array, int index, int length) {
    if (length < Long.BYTES) {
      int last = index + length - 1;
      array[last] = (byte) UNREAD;
      MEMORY.copyOut(address, array, index, length);
      return array[last] == (byte) UNREAD;
    }
    int last = index + length - Long.BYTES;
    ARRAY_LONGS.set(array, last, UNREAD);
    MEMORY.copyOut(address, array, index, length);
    return (long) ARRAY_LONGS.get(array, last) == UNREAD;
  }

  /** Returns whether the end of the memory may not have been copied to. */
  private static boolean copyUnread(long address, long to, int length) {
    if (length < Long.BYTES) {
      long last = to + length - 1;
      MEMORY.putByte(last, (byte) UNREAD);
      MEMORY.copy(address, to, length);
      return MEMORY.getByte(last) == (byte) UNREAD;
    }
    long last = to + length - Long.BYTES;
    MEMORY.putLong(last, UNREAD);
    MEMORY.copy(address, to, length);
    return MEMORY.getLong(last) == UNREAD;
  }

  /**
   * Returns eight bytes in big-endian order from memory that may be gone; throws {@link
   * InternalError} if it was, like {@link #copyOutOfMapping}.
   */
  public static long getLongOfMapping(long address) {
    byte[] word = WORD.get();
    if (copyUnread(address, word, 0, Long.BYTES)) {
      deliverFaults();
    }
    return (long) BIG_ENDIAN_LONGS.get(word, 0);
  }

  /**
   * Throws the {@link InternalError} of an earlier access to memory that is gone, if one waits for
   * this thread.
   */
  public static void deliverFaults() {
    // JIT compilers hand arrays of arrays to the JVM, which looks for errors that wait on its way
    // back. An empty one is the least that makes them.
    if (new int[nothing][nothing].length != nothing) {
      faultSink = UNREAD;
    }
  }

  /** Copies {@code length} bytes of {@code src} from {@code position} on, whatever its limit. */
  public static void copyIn(ByteBuffer src, int position, long address, int length) {
    Objects.checkFromIndexSize(position, length, src.capacity());
    if (src.isDirect()) {
      try {
        MEMORY.copy(bufferAddress(src) + position, address, length);
      } finally {
        Reference.reachabilityFence(src);
      }
      return;
    }
    byte[] array = MEMORY.array(src);
    if (array == null) {
      MEMORY.copyHiddenIn(src, position, address, length);
    } else {
      MEMORY.copyIn(array, MEMORY.arrayOffset(src) + position, address, length);
    }
  }

  /** Copies like {@link #copyIn}, in the order that is quicker on this machine for blocks. */
  public static void copyBlockIn(ByteBuffer src, int position, long address, int length) {
    if (CopyOrder.writesInStreams(length)) {
      copyStreamsIn(src, position, address, length);
    } else {
      copyIn(src, position, address, length);
    }
  }

  /** Copies like {@link #copyIn}, in streams ({@link StreamedCopy}). */
  public static void copyStreamsIn(ByteBuffer src, int position, long address, int length) {
    Objects.checkFromIndexSize(position, length, src.capacity());
    if (src.isDirect()) {
      try {
        StreamedCopy.write(null, bufferAddress(src) + position, address, length);
      } finally {
        Reference.reachabilityFence(src);
      }
      return;
    }
    byte[] array = MEMORY.array(src);
    if (array == null) {
      MEMORY.copyHiddenIn(src, position, address, length);
    } else {
      StreamedCopy.write(array, MEMORY.arrayOffset(src) + position, address, length);
    }
  }

  /**
   * Returns whether the memory of a buffer may be taken away while a caller holds the buffer: pages
   * of a mapped file, which may be cut short, or a segment, whose arena may be closed. Only the
   * JDK's own methods may touch such memory. They know whether an arena is open and keep it open,
   * and they make an error of a page that is gone, where an instruction for checksums ends the JVM.
   *
   * <p>Buffers that native code or {@code Unsafe} made over a mapping are not recognized.
   */
  public static boolean mayVanish(ByteBuffer buffer) {
    return buffer.isDirect() && MEMORY.mayVanish(buffer);
  }

  /**
   * Returns a read-only buffer over memory.
   *
   * @param owner what keeps the memory allocated; reachable as long as the view or any buffer made
   *     from it is
   */
  public static ByteBuffer view(long address, int length, MemoryOwner owner) {
    return MEMORY.view(address, length, owner);
  }

  /** Returns the bytes of a memory page of this machine. */
  public static int pageBytes() {
    return MEMORY.pageBytes();
  }

  /** Returns where a direct buffer begins; valid as long as the buffer is reachable. */
  public static long bufferAddress(ByteBuffer buffer) {
    return MEMORY.bufferAddress(buffer);
  }
}
