// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * The one class that reads and writes memory by address.
 *
 * <p>Addresses are not checked: callers own their bounds and lifetime. Buffers are, against their
 * capacity, which never changes: a position that another thread moves during the call must not lead
 * a copy beyond them. JDK 17 has no final memory-access API, and {@code Unsafe} is what a copy
 * costs least with on 17 and 25 alike (docs/understand/decisions/0003).
 */
public final class RawMemory {
  /** The smallest page there is. */
  private static final int TOUCHED_BYTES = 4096;

  private static final Unsafe UNSAFE = unsafe();
  private static final long BYTE_ARRAY_BASE = Unsafe.ARRAY_BYTE_BASE_OFFSET;
  private static final long BUFFER_ADDRESS_OFFSET = fieldOffset(Buffer.class, "address");
  private static final long BUFFER_CAPACITY_OFFSET = fieldOffset(Buffer.class, "capacity");
  private static final long BUFFER_SEGMENT_OFFSET = fieldOffset(Buffer.class, "segment");
  private static final long BUFFER_FILE_OFFSET = fieldOffset(MappedByteBuffer.class, "fd");
  private static final long HEAP_ARRAY_OFFSET = fieldOffset(ByteBuffer.class, "hb");
  private static final long HEAP_ARRAY_BEGIN_OFFSET = fieldOffset(ByteBuffer.class, "offset");
  private static final long ATTACHMENT_OFFSET = attachmentOffset();
  private static final ByteBuffer EMPTY_DIRECT = ByteBuffer.allocateDirect(0);
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /** No likelier than any other value at the end of a block. */
  private static final long UNREAD = 0xd1a7_5e0b_93c4_f268L;

  /** Where a single number is copied to out of a mapping. */
  private static final ThreadLocal<long[]> WORD = ThreadLocal.withInitial(() -> new long[1]);

  /** The length of an array that is made for its making. Not final: compilers must not know it. */
  private static int nothing;

  /** Keeps compilers from dropping that array; never written. */
  @SuppressWarnings("unused")
  private static Object faultSink = UNREAD;

  private RawMemory() {}

  public static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  public static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  public static short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  public static void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  public static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  public static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  public static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  public static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  public static int getIntVolatile(long address) {
    return UNSAFE.getIntVolatile(null, address);
  }

  /** Stores after everything that was stored or loaded before. */
  public static void putIntRelease(long address, int value) {
    UNSAFE.putOrderedInt(null, address, value);
  }

  public static boolean compareAndSwapInt(long address, int expected, int value) {
    return UNSAFE.compareAndSwapInt(null, address, expected, value);
  }

  public static int getAndAddInt(long address, int delta) {
    return UNSAFE.getAndAddInt(null, address, delta);
  }

  /** Loads before the fence stay before loads and stores after it. */
  public static void loadFence() {
    UNSAFE.loadFence();
  }

  /** Stores before the fence stay before stores after it. */
  public static void storeFence() {
    UNSAFE.storeFence();
  }

  /** Returns eight bytes in big-endian order, at any alignment. */
  public static long getLongBigEndian(long address) {
    long value = UNSAFE.getLong(address);
    return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
  }

  /** Returns eight bytes in little-endian order, at any alignment. */
  public static long getLongLittleEndian(long address) {
    long value = UNSAFE.getLong(address);
    return LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  public static void fill(long address, long length, byte value) {
    UNSAFE.setMemory(address, length, value);
  }

  /** Copies into {@code dst} at its position, which stays where it is. */
  public static void copyOut(long address, ByteBuffer dst, int length) {
    copyOut(address, dst, dst.position(), length);
  }

  /** Copies into {@code dst} from {@code position} on, whatever its own position and limit. */
  public static void copyOut(long address, ByteBuffer dst, int position, int length) {
    Objects.checkFromIndexSize(position, length, dst.capacity());
    if (dst.hasArray()) {
      long at = BYTE_ARRAY_BASE + dst.arrayOffset() + position;
      UNSAFE.copyMemory(null, address, dst.array(), at, length);
    } else {
      checkDirect(dst);
      try {
        UNSAFE.copyMemory(address, bufferAddress(dst) + position, length);
      } finally {
        Reference.reachabilityFence(dst);
      }
    }
  }

  /**
   * Copies like {@link #copyOut}, in an order that is quicker for blocks that come from memory
   * ({@link StreamedCopy}). Not for memory that may be gone: pieces behind one that was not copied
   * are.
   */
  public static void copyBlockOut(long address, ByteBuffer dst, int position, int length) {
    Objects.checkFromIndexSize(position, length, dst.capacity());
    if (dst.hasArray()) {
      long at = BYTE_ARRAY_BASE + dst.arrayOffset() + position;
      StreamedCopy.read(address, dst.array(), at, length);
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
      throw new ReadOnlyBufferException();
    }
  }

  /** Copies between objects, or addresses where an object is null. */
  static void copy(
      @Nullable Object from, long fromOffset, @Nullable Object to, long toOffset, int length) {
    UNSAFE.copyMemory(from, fromOffset, to, toOffset, length);
  }

  /**
   * Copies like {@link #copyOut}, word by word: of some tens of bytes, calling the routine for
   * copies of any length would take most of the time. Not for memory that may be gone: after a
   * fault, compiled code would store what the register held.
   */
  public static void copyFewOut(long address, ByteBuffer dst, int position, int length) {
    Objects.checkFromIndexSize(position, length, dst.capacity());
    if (dst.hasArray()) {
      copyWords(address, dst.array(), BYTE_ARRAY_BASE + dst.arrayOffset() + position, length);
    } else {
      checkDirect(dst);
      try {
        copyWords(address, null, bufferAddress(dst) + position, length);
      } finally {
        Reference.reachabilityFence(dst);
      }
    }
  }

  private static void copyWords(long from, byte @Nullable [] array, long to, int length) {
    long at = from;
    long end = from + length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      UNSAFE.putLong(array, to + (at - from), UNSAFE.getLong(at));
    }
    for (; at < end; at++) {
      UNSAFE.putByte(array, to + (at - from), UNSAFE.getByte(at));
    }
  }

  /**
   * Copies like {@link #copyOut} from memory that may be gone, such as a mapping whose file was cut
   * short, and throws {@link InternalError} if it was.
   *
   * <p>Up to JDK 20 compiled code goes on after such a fault, and the error is thrown some time
   * later, to the code that runs then. So the buffer's end is first given a value that only the
   * copying changes; if it is found unchanged, the thread is made to fetch an error that waits for
   * it.
   */
  public static void copyOutOfMapping(long address, ByteBuffer dst, int position, int length) {
    if (length == 0) {
      return;
    }
    Objects.checkFromIndexSize(position, length, dst.capacity());
    byte[] array = dst.hasArray() ? dst.array() : null;
    if (array == null) {
      checkDirect(dst);
    }
    long begin = array == null ? bufferAddress(dst) : BYTE_ARRAY_BASE + dst.arrayOffset();
    long last = begin + position + length - Math.min(length, Long.BYTES);
    boolean wide = length >= Long.BYTES;
    boolean unread;
    try {
      if (wide) {
        UNSAFE.putLong(array, last, UNREAD);
      } else {
        UNSAFE.putByte(array, last, (byte) UNREAD);
      }
      UNSAFE.copyMemory(null, address, array, begin + position, length);
      unread =
          wide
              ? UNSAFE.getLong(array, last) == UNREAD
              : UNSAFE.getByte(array, last) == (byte) UNREAD;
    } finally {
      Reference.reachabilityFence(dst);
    }
    if (unread) {
      deliverFaults();
    }
  }

  /**
   * Returns eight bytes in big-endian order from memory that may be gone; throws {@link
   * InternalError} if it was, like {@link #copyOutOfMapping}.
   */
  public static long getLongOfMapping(long address) {
    long[] word = WORD.get();
    word[0] = UNREAD;
    UNSAFE.copyMemory(null, address, word, Unsafe.ARRAY_LONG_BASE_OFFSET, Long.BYTES);
    if (word[0] == UNREAD) {
      deliverFaults();
    }
    return LITTLE_ENDIAN ? Long.reverseBytes(word[0]) : word[0];
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

  /**
   * Reads a byte of each page of a range that is about to be copied from or to. The processor then
   * looks all their addresses up at once, and does not wait at the start of each page again; its
   * prefetchers stop at a page's end. Volatile, so that the compiler does not drop reads whose
   * bytes are not used.
   */
  public static void touchPages(long address, int length) {
    for (int at = 0; at < length; at += TOUCHED_BYTES) {
      UNSAFE.getByteVolatile(null, address + at);
    }
  }

  /** Copies {@code length} bytes of {@code src} from {@code position} on, whatever its limit. */
  public static void copyIn(ByteBuffer src, int position, long address, int length) {
    Objects.checkFromIndexSize(position, length, src.capacity());
    if (src.isDirect()) {
      try {
        UNSAFE.copyMemory(bufferAddress(src) + position, address, length);
      } finally {
        Reference.reachabilityFence(src);
      }
    } else {
      long at = BYTE_ARRAY_BASE + arrayOffset(src) + position;
      UNSAFE.copyMemory(array(src), at, null, address, length);
    }
  }

  /** Copies like {@link #copyIn}, in an order that is quicker for blocks ({@link StreamedCopy}). */
  public static void copyBlockIn(ByteBuffer src, int position, long address, int length) {
    Objects.checkFromIndexSize(position, length, src.capacity());
    if (src.isDirect()) {
      try {
        StreamedCopy.write(null, bufferAddress(src) + position, address, length);
      } finally {
        Reference.reachabilityFence(src);
      }
    } else {
      StreamedCopy.write(
          array(src), BYTE_ARRAY_BASE + arrayOffset(src) + position, address, length);
    }
  }

  /**
   * Returns the array of a heap buffer, to be read only: read-only buffers hide theirs from all
   * others.
   */
  static byte[] array(ByteBuffer heapBuffer) {
    return (byte[]) UNSAFE.getObject(heapBuffer, HEAP_ARRAY_OFFSET);
  }

  /** Returns where in its {@linkplain #array array} a heap buffer begins. */
  static int arrayOffset(ByteBuffer heapBuffer) {
    return UNSAFE.getInt(heapBuffer, HEAP_ARRAY_BEGIN_OFFSET);
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
    return buffer.isDirect()
        && (UNSAFE.getObject(buffer, BUFFER_FILE_OFFSET) != null
            || UNSAFE.getObject(buffer, BUFFER_SEGMENT_OFFSET) != null
            || (UNSAFE.getObject(buffer, ATTACHMENT_OFFSET) instanceof MemoryOwner owner
                && owner.isFileBacked()));
  }

  /**
   * Returns a buffer to be opened onto one piece of memory after the other. Not to be read before.
   */
  static ByteBuffer window() {
    ByteBuffer window = EMPTY_DIRECT.duplicate();
    // Once for all memory: the JDK may hold a capacity for something that never changes.
    UNSAFE.putInt(window, BUFFER_CAPACITY_OFFSET, Integer.MAX_VALUE);
    return window;
  }

  /** Has a window show bytes of a direct buffer, which the caller keeps reachable. */
  static ByteBuffer open(ByteBuffer window, ByteBuffer direct, int position, int length) {
    UNSAFE.putLong(window, BUFFER_ADDRESS_OFFSET, bufferAddress(direct) + position);
    return window.clear().limit(length);
  }

  /**
   * Returns a read-only buffer over memory.
   *
   * @param owner what keeps the memory allocated; reachable as long as the view or any buffer made
   *     from it is. A {@link MemoryOwner} also says whether the memory {@linkplain #mayVanish may
   *     vanish}
   */
  public static ByteBuffer view(long address, int length, Object owner) {
    ByteBuffer view = EMPTY_DIRECT.duplicate();
    UNSAFE.putLong(view, BUFFER_ADDRESS_OFFSET, address);
    UNSAFE.putInt(view, BUFFER_CAPACITY_OFFSET, length);
    UNSAFE.putObject(view, ATTACHMENT_OFFSET, owner);
    view.limit(length);
    return view.asReadOnlyBuffer();
  }

  /** Returns the bytes of a memory page of this machine. */
  public static int pageBytes() {
    return UNSAFE.pageSize();
  }

  /** Returns where a direct buffer begins; valid as long as the buffer is reachable. */
  public static long bufferAddress(ByteBuffer buffer) {
    return UNSAFE.getLong(buffer, BUFFER_ADDRESS_OFFSET);
  }

  private static long attachmentOffset() {
    try {
      return fieldOffset(Class.forName("java.nio.DirectByteBuffer"), "att");
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static void putBooleanVolatile(Object holder, long offset, boolean value) {
    UNSAFE.putBooleanVolatile(holder, offset, value);
  }

  static long fieldOffset(Class<?> holder, String field) {
    try {
      return UNSAFE.objectFieldOffset(holder.getDeclaredField(field));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
