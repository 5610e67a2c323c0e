// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import net.openhft.chronicle.core.OS;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * Memory by {@code sun.misc.Unsafe}, and by Chronicle Bytes where its page rounding and release are
 * wanted. JDK 17 has no final API for it.
 */
final class UnsafeMemory extends AddressedMemory {
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

  /** One for each thread, of the JDK's own classes: a checksum allocates nothing. */
  private static final ThreadLocal<ByteBuffer> WINDOW =
      ThreadLocal.withInitial(UnsafeMemory::window);

  @Override
  String name() {
    return "sun.misc.Unsafe";
  }

  @Override
  byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  @Override
  byte getByteVolatile(long address) {
    return UNSAFE.getByteVolatile(null, address);
  }

  @Override
  void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  @Override
  short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  @Override
  void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  @Override
  int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  @Override
  void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  @Override
  long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  @Override
  void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  @Override
  int getIntVolatile(long address) {
    return UNSAFE.getIntVolatile(null, address);
  }

  @Override
  void putIntRelease(long address, int value) {
    UNSAFE.putOrderedInt(null, address, value);
  }

  @Override
  boolean compareAndSwapInt(long address, int expected, int value) {
    return UNSAFE.compareAndSwapInt(null, address, expected, value);
  }

  @Override
  int getAndAddInt(long address, int delta) {
    return UNSAFE.getAndAddInt(null, address, delta);
  }

  @Override
  void loadFence() {
    UNSAFE.loadFence();
  }

  @Override
  void storeFence() {
    UNSAFE.storeFence();
  }

  @Override
  void fill(long address, long length, byte value) {
    UNSAFE.setMemory(address, length, value);
  }

  @Override
  void copy(long from, long to, long length) {
    UNSAFE.copyMemory(from, to, length);
  }

  @Override
  void copyOut(long from, byte[] to, int index, int length) {
    UNSAFE.copyMemory(null, from, to, BYTE_ARRAY_BASE + index, length);
  }

  @Override
  void copyOut(long from, int[] to, int index, int count) {
    long at = Unsafe.ARRAY_INT_BASE_OFFSET + (long) index * Integer.BYTES;
    UNSAFE.copyMemory(null, from, to, at, (long) count * Integer.BYTES);
  }

  @Override
  void copyOut(long from, long[] to, int index, int count) {
    long at = Unsafe.ARRAY_LONG_BASE_OFFSET + (long) index * Long.BYTES;
    UNSAFE.copyMemory(null, from, to, at, (long) count * Long.BYTES);
  }

  @Override
  void copyOut(long from, float[] to, int index, int count) {
    long at = Unsafe.ARRAY_FLOAT_BASE_OFFSET + (long) index * Float.BYTES;
    UNSAFE.copyMemory(null, from, to, at, (long) count * Float.BYTES);
  }

  @Override
  void copyIn(byte[] from, int index, long to, int length) {
    UNSAFE.copyMemory(from, BYTE_ARRAY_BASE + index, null, to, length);
  }

  @Override
  void copyWordsOut(long from, byte[] to, int index, int length) {
    long shift = BYTE_ARRAY_BASE + index - from;
    long at = from;
    long end = from + length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      UNSAFE.putLong(to, at + shift, UNSAFE.getLong(at));
    }
    for (; at < end; at++) {
      UNSAFE.putByte(to, at + shift, UNSAFE.getByte(at));
    }
  }

  @Override
  void copyHiddenIn(ByteBuffer from, int position, long to, int length) {
    throw new AssertionError("no buffer hides its array from Unsafe");
  }

  /** To be read only: read-only buffers hide theirs from all others. */
  @Override
  byte @Nullable [] array(ByteBuffer heapBuffer) {
    return (byte[]) UNSAFE.getObject(heapBuffer, HEAP_ARRAY_OFFSET);
  }

  @Override
  int arrayOffset(ByteBuffer heapBuffer) {
    return UNSAFE.getInt(heapBuffer, HEAP_ARRAY_BEGIN_OFFSET);
  }

  @Override
  long bufferAddress(ByteBuffer direct) {
    return UNSAFE.getLong(direct, BUFFER_ADDRESS_OFFSET);
  }

  @Override
  boolean mayVanish(ByteBuffer direct) {
    return UNSAFE.getObject(direct, BUFFER_FILE_OFFSET) != null
        || UNSAFE.getObject(direct, BUFFER_SEGMENT_OFFSET) != null
        || (UNSAFE.getObject(direct, ATTACHMENT_OFFSET) instanceof MemoryOwner owner
            && owner.isFileBacked());
  }

  /** Through a window that is opened onto one piece of memory after the other. */
  @Override
  void sum(CRC32C crc, ByteBuffer bytes, int position, int length) {
    byte[] array = bytes.isDirect() ? null : array(bytes);
    if (array != null) {
      crc.update(array, arrayOffset(bytes) + position, length);
      return;
    }
    ByteBuffer window = WINDOW.get();
    UNSAFE.putLong(window, BUFFER_ADDRESS_OFFSET, bufferAddress(bytes) + position);
    crc.update(window.clear().limit(length));
  }

  /** Not to be read before it is opened. */
  private static ByteBuffer window() {
    ByteBuffer window = EMPTY_DIRECT.duplicate();
    // Once for all memory: the JDK may hold a capacity for something that never changes.
    UNSAFE.putInt(window, BUFFER_CAPACITY_OFFSET, Integer.MAX_VALUE);
    return window;
  }

  @Override
  ByteBuffer view(long address, int length, MemoryOwner owner) {
    return writableView(address, length, owner).asReadOnlyBuffer();
  }

  @Override
  ByteBuffer writableView(long address, int length, MemoryOwner owner) {
    ByteBuffer view = EMPTY_DIRECT.duplicate();
    UNSAFE.putLong(view, BUFFER_ADDRESS_OFFSET, address);
    UNSAFE.putInt(view, BUFFER_CAPACITY_OFFSET, length);
    UNSAFE.putObject(view, ATTACHMENT_OFFSET, owner);
    return view.limit(length);
  }

  @Override
  int pageBytes() {
    return UNSAFE.pageSize();
  }

  /**
   * By Chronicle's memory, not by its stores: these start a thread and a shutdown hook, which keep
   * the class loader for good, and complain of flags that memory needs none of.
   */
  @Override
  Range allocate(long sizeBytes) {
    return new Allocation(OS.memory().allocate(sizeBytes), sizeBytes);
  }

  private record Allocation(long address, long sizeBytes) implements Range {
    @Override
    public void release() {
      OS.memory().freeMemory(address, sizeBytes);
    }
  }

  @Override
  void requireMapping() {
    Module jdk = Object.class.getModule();
    Module mapper = OS.class.getModule();
    String to = "=" + target(OS.class);
    List<String> missing = new ArrayList<>();
    if (!jdk.isOpen("java.lang.reflect", mapper)) {
      missing.add("--add-opens java.base/java.lang.reflect" + to);
    }
    if (!jdk.isExported("sun.nio.ch", mapper)) {
      missing.add("--add-exports java.base/sun.nio.ch" + to);
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "the JVM hides what mapping a file needs; start it with " + String.join(" ", missing));
    }
  }

  @Override
  Range map(FileChannel channel, long lengthBytes) throws IOException {
    try {
      return new Mapping(
          OS.map(channel, FileChannel.MapMode.READ_WRITE, 0, lengthBytes), lengthBytes);
    } catch (AssertionError | LinkageError e) {
      throw new IOException("Chronicle Bytes can't map files on this JVM: " + e, e);
    }
  }

  private record Mapping(long address, long lengthBytes) implements Range {
    @Override
    public void release() {
      try {
        OS.unmap(address, lengthBytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  void makeUninterruptible(FileChannel channel) {
    setUninterruptible(channel);
  }

  /** Sets the flag where it lies; its setter is in a package that the JDK does not export. */
  static void setUninterruptible(FileChannel channel) {
    long flag;
    try {
      flag = fieldOffset(channel.getClass(), "uninterruptible");
    } catch (ExceptionInInitializerError e) {
      throw new IllegalStateException(
          "the file channels of this JDK ("
              + channel.getClass().getName()
              + ") can't be made uninterruptible; use a JDK from 17 to 25 and its own file system",
          e);
    }
    UNSAFE.putBooleanVolatile(channel, flag, true);
  }

  /** Returns the number of the descriptor of a channel of the JDK's. */
  static int descriptor(FileChannel channel) {
    Object descriptor = UNSAFE.getObject(channel, fieldOffset(channel.getClass(), "fd"));
    return UNSAFE.getInt(descriptor, fieldOffset(FileDescriptor.class, "fd"));
  }

  /** Sets what the JDK checks positions, lengths and addresses of direct I/O against. */
  static void setAlignment(FileChannel channel, int bytes) {
    try {
      UNSAFE.putInt(channel, fieldOffset(channel.getClass(), "alignment"), bytes);
    } catch (ExceptionInInitializerError e) {
      throw new IllegalStateException(
          "the alignment of direct I/O can't be set in the file channels of this JDK", e);
    }
  }

  private static long attachmentOffset() {
    try {
      return fieldOffset(Class.forName("java.nio.DirectByteBuffer"), "att");
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long fieldOffset(Class<?> holder, String field) {
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
