// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Memory by {@code java.lang.foreign}: one segment that spans all addresses, so that an access
 * needs no object; {@code malloc} and {@code free} of the C library, so that a release stops no
 * other thread, as the closing of a shared arena does; and the JDK's own mapping of files.
 *
 * <p>{@code sun.misc.Unsafe} and Chronicle Bytes are not touched, except for the flag of a file
 * channel where the JVM hides its setter.
 */
final class ForeignMemory extends AddressedMemory {
  /** All addresses. Of the global scope: accesses check no arena. */
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final VarHandle BYTE = accessor(JAVA_BYTE);
  private static final VarHandle SHORT = accessor(JAVA_SHORT_UNALIGNED);
  private static final VarHandle INT = accessor(JAVA_INT_UNALIGNED);
  private static final VarHandle LONG = accessor(JAVA_LONG_UNALIGNED);

  /** Atomic accesses need an aligned address. */
  private static final VarHandle ALIGNED_INT = accessor(JAVA_INT);

  private static final VarHandle ARRAY_LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
          .withInvokeExactBehavior();

  private static final MethodHandle MALLOC =
      function("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG)).orElseThrow();
  private static final MethodHandle FREE =
      function("free", FunctionDescriptor.ofVoid(JAVA_LONG)).orElseThrow();

  /** The page of machines whose C library does not say: only Windows' does not. */
  private static final int USUAL_PAGE_BYTES = 4096;

  private static final int PAGE_BYTES = askPageBytes();

  /** Whether a file lies behind the views of a scope. By identity, and forgotten with the scope. */
  private static final Cache<MemorySegment.Scope, Boolean> VIEWS =
      Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

  /** The segment of each owner that has views. Owners are compared by identity. */
  private static final Cache<MemoryOwner, WeakReference<MemorySegment>> SHARED =
      Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

  /** The JDK makes no longer buffers of segments. */
  private static final int WINDOW_BYTES = Integer.MAX_VALUE - 8;

  /** One for each thread, of the JDK's own classes: a checksum allocates nothing. */
  private static final ThreadLocal<ByteBuffer> WINDOW =
      ThreadLocal.withInitial(() -> ALL.asSlice(0, WINDOW_BYTES).asByteBuffer());

  ForeignMemory() {
    requireScopesOfArenasToBeTheirOwn();
  }

  private static VarHandle accessor(ValueLayout layout) {
    return layout.varHandle().withInvokeExactBehavior();
  }

  private static Optional<MethodHandle> function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(address -> linker.downcallHandle(address, descriptor));
  }

  private static int askPageBytes() {
    return function("getpagesize", FunctionDescriptor.of(JAVA_INT))
        .map(
            getpagesize -> {
              try {
                return (int) getpagesize.invokeExact();
              } catch (Throwable e) {
                throw unexpected(e);
              }
            })
        .orElse(USUAL_PAGE_BYTES);
  }

  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("a function of the C library threw", e);
  }

  @Override
  String name() {
    return "java.lang.foreign";
  }

  @Override
  byte getByte(long address) {
    return (byte) BYTE.get(ALL, address);
  }

  @Override
  byte getByteVolatile(long address) {
    return (byte) BYTE.getVolatile(ALL, address);
  }

  @Override
  void putByte(long address, byte value) {
    BYTE.set(ALL, address, value);
  }

  @Override
  short getShort(long address) {
    return (short) SHORT.get(ALL, address);
  }

  @Override
  void putShort(long address, short value) {
    SHORT.set(ALL, address, value);
  }

  @Override
  int getInt(long address) {
    return (int) INT.get(ALL, address);
  }

  @Override
  void putInt(long address, int value) {
    INT.set(ALL, address, value);
  }

  @Override
  long getLong(long address) {
    return (long) LONG.get(ALL, address);
  }

  @Override
  void putLong(long address, long value) {
    LONG.set(ALL, address, value);
  }

  @Override
  int getIntVolatile(long address) {
    return (int) ALIGNED_INT.getVolatile(ALL, address);
  }

  @Override
  void putIntRelease(long address, int value) {
    ALIGNED_INT.setRelease(ALL, address, value);
  }

  @Override
  boolean compareAndSwapInt(long address, int expected, int value) {
    return ALIGNED_INT.compareAndSet(ALL, address, expected, value);
  }

  @Override
  int getAndAddInt(long address, int delta) {
    return (int) ALIGNED_INT.getAndAdd(ALL, address, delta);
  }

  /** The JDK makes this fence of what {@code Unsafe} calls a load fence. */
  @Override
  void loadFence() {
    VarHandle.acquireFence();
  }

  /** The JDK makes this fence of what {@code Unsafe} calls a store fence. */
  @Override
  void storeFence() {
    VarHandle.releaseFence();
  }

  @Override
  void fill(long address, long length, byte value) {
    ALL.asSlice(address, length).fill(value);
  }

  @Override
  void copy(long from, long to, long length) {
    MemorySegment.copy(ALL, from, ALL, to, length);
  }

  @Override
  void copyOut(long from, byte[] to, int index, int length) {
    MemorySegment.copy(ALL, JAVA_BYTE, from, to, index, length);
  }

  @Override
  void copyOut(long from, int[] to, int index, int count) {
    MemorySegment.copy(ALL, JAVA_INT_UNALIGNED, from, to, index, count);
  }

  @Override
  void copyOut(long from, long[] to, int index, int count) {
    MemorySegment.copy(ALL, JAVA_LONG_UNALIGNED, from, to, index, count);
  }

  @Override
  void copyOut(long from, float[] to, int index, int count) {
    MemorySegment.copy(ALL, JAVA_FLOAT_UNALIGNED, from, to, index, count);
  }

  @Override
  void copyIn(byte[] from, int index, long to, int length) {
    MemorySegment.copy(from, index, ALL, JAVA_BYTE, to, length);
  }

  @Override
  void copyWordsOut(long from, byte[] to, int index, int length) {
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      ARRAY_LONGS.set(to, index + at, getLong(from + at));
    }
    for (; at < length; at++) {
      to[index + at] = getByte(from + at);
    }
  }

  @Override
  void copyHiddenIn(ByteBuffer from, int position, long to, int length) {
    MemorySegment.copy(MemorySegment.ofBuffer(all(from)), position, ALL, to, length);
  }

  /** A duplicate is no other thread's to move. */
  private static ByteBuffer all(ByteBuffer buffer) {
    return buffer.duplicate().clear();
  }

  @Override
  byte @Nullable [] array(ByteBuffer heapBuffer) {
    if (BufferFields.SHOWN) {
      return BufferFields.array(heapBuffer);
    }
    return heapBuffer.hasArray() ? heapBuffer.array() : null;
  }

  @Override
  int arrayOffset(ByteBuffer heapBuffer) {
    return BufferFields.SHOWN ? BufferFields.arrayOffset(heapBuffer) : heapBuffer.arrayOffset();
  }

  @Override
  long bufferAddress(ByteBuffer direct) {
    return BufferFields.SHOWN
        ? BufferFields.address(direct)
        : MemorySegment.ofBuffer(all(direct)).address();
  }

  @Override
  boolean mayVanish(ByteBuffer direct) {
    if (BufferFields.SHOWN) {
      MemorySegment segment = BufferFields.segment(direct);
      return BufferFields.isMapped(direct) || (segment != null && isVanishing(segment.scope()));
    }
    MemorySegment segment = MemorySegment.ofBuffer(direct);
    return segment.isMapped() || (hasScopeOfItsOwn(direct) && isVanishing(segment.scope()));
  }

  /**
   * Returns whether a buffer was made from a segment. Such a one has its segment's scope. For any
   * other the JDK makes a scope whenever it is asked for one.
   */
  private static boolean hasScopeOfItsOwn(ByteBuffer direct) {
    return MemorySegment.ofBuffer(direct).scope() == MemorySegment.ofBuffer(direct).scope();
  }

  /**
   * Nothing else tells a buffer over an arena from a plain one. If the JDK kept the scopes of plain
   * buffers as well, they would all be thought to vanish, and be copied twice; but if it made one
   * for an arena at each call, copies would meet memory that is gone.
   */
  private static void requireScopesOfArenasToBeTheirOwn() {
    try (Arena arena = Arena.ofConfined()) {
      if (!hasScopeOfItsOwn(arena.allocate(1).asByteBuffer())) {
        throw new IllegalStateException(
            "this JDK does not show which buffers are over memory that an arena may free");
      }
    }
  }

  /** Of the scopes of segments, only the scopes of {@linkplain #view views} are known to stay. */
  private static boolean isVanishing(MemorySegment.Scope scope) {
    return !Boolean.FALSE.equals(VIEWS.getIfPresent(scope));
  }

  @Override
  void sum(CRC32C crc, ByteBuffer bytes, int position, int length) {
    byte[] array = bytes.isDirect() ? null : array(bytes);
    if (array != null) {
      crc.update(array, arrayOffset(bytes) + position, length);
    } else if (BufferFields.SHOWN && bytes.isDirect() && length <= WINDOW_BYTES) {
      ByteBuffer window = WINDOW.get();
      BufferFields.point(window, BufferFields.address(bytes) + position);
      crc.update(window.clear().limit(length));
    } else {
      crc.update(all(bytes).limit(position + length).position(position));
    }
  }

  /**
   * A slice of a segment that its owner shares among its views. A view keeps the segment's arena
   * reachable, and the arena keeps the owner so: by its last act, which the garbage collector
   * causes. The segment is kept weakly, or neither would ever be collected.
   */
  @Override
  ByteBuffer view(long address, int length, MemoryOwner owner) {
    return shared(owner).asSlice(address, length).asByteBuffer();
  }

  private static MemorySegment shared(MemoryOwner owner) {
    WeakReference<MemorySegment> kept = SHARED.getIfPresent(owner);
    MemorySegment shared = kept == null ? null : kept.get();
    if (shared == null) {
      shared = allOf(owner).asReadOnly();
      SHARED.put(owner, new WeakReference<>(shared));
    }
    return shared;
  }

  /** Returns a segment over all addresses that keeps an owner reachable. */
  private static MemorySegment allOf(MemoryOwner owner) {
    MemorySegment all =
        MemorySegment.NULL.reinterpret(
            Long.MAX_VALUE, Arena.ofAuto(), memory -> Reference.reachabilityFence(owner));
    VIEWS.put(all.scope(), owner.isFileBacked());
    return all;
  }

  /** Shares no segment: there is one such buffer of an owner. */
  @Override
  ByteBuffer writableView(long address, int length, MemoryOwner owner) {
    return allOf(owner).asSlice(address, length).asByteBuffer();
  }

  @Override
  int pageBytes() {
    return PAGE_BYTES;
  }

  @Override
  Range allocate(long sizeBytes) {
    long address;
    try {
      address = (long) MALLOC.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (address == 0) {
      throw new OutOfMemoryError("malloc refused " + sizeBytes + " bytes");
    }
    return new Allocation(address);
  }

  private record Allocation(long address) implements Range {
    @Override
    public void release() {
      try {
        FREE.invokeExact(address);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }
  }

  @Override
  void requireMapping() {
    // The JDK maps what a program may open.
  }

  @Override
  Range map(FileChannel channel, long lengthBytes) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes, arena);
      return new Mapping(mapped.address(), arena);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  private record Mapping(long address, Arena arena) implements Range {
    @Override
    public void release() {
      arena.close();
    }
  }

  @Override
  void makeUninterruptible(FileChannel channel) {
    try {
      channel.getClass().getMethod("setUninterruptible").invoke(channel);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      setFlagOf(channel, e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("can't make a file channel uninterruptible", e.getCause());
    }
  }

  /** In the one way that is left where the JVM hides the setter. */
  private static void setFlagOf(FileChannel channel, Exception hidden) {
    try {
      UnsafeMemory.setUninterruptible(channel);
    } catch (LinkageError | RuntimeException e) {
      IllegalStateException refused =
          new IllegalStateException(
              "the JVM hides how a file channel is made uninterruptible; start it with"
                  + " --add-exports java.base/sun.nio.ch="
                  + target(RawMemory.class),
              hidden);
      refused.addSuppressed(e);
      throw refused;
    }
  }
}
