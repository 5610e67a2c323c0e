// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.FileDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of buffers that say where their bytes are. They are shown if the JVM was started with
 * {@code --add-opens java.base/java.nio}. Without it {@link ForeignMemory} asks {@link
 * MemorySegment#ofBuffer}, which answers the same but may make objects: compilers remove them from
 * small methods, and not from a whole lookup.
 */
final class BufferFields {
  /** Whether the other methods may be called. */
  static final boolean SHOWN;

  private static final @Nullable VarHandle ADDRESS;
  private static final @Nullable VarHandle SEGMENT;
  private static final @Nullable VarHandle FILE;
  private static final @Nullable VarHandle ARRAY;
  private static final @Nullable VarHandle ARRAY_OFFSET;

  static {
    VarHandle address = null;
    VarHandle segment = null;
    VarHandle file = null;
    VarHandle array = null;
    VarHandle arrayOffset = null;
    try {
      address = field(Buffer.class, "address", long.class);
      segment = field(Buffer.class, "segment", MemorySegment.class);
      file = field(MappedByteBuffer.class, "fd", FileDescriptor.class);
      array = field(ByteBuffer.class, "hb", byte[].class);
      arrayOffset = field(ByteBuffer.class, "offset", int.class);
    } catch (ReflectiveOperationException e) {
      // Not opened to this module, or another JDK's buffers.
    }
    SHOWN = arrayOffset != null;
    ADDRESS = address;
    SEGMENT = segment;
    FILE = file;
    ARRAY = array;
    ARRAY_OFFSET = arrayOffset;
  }

  private BufferFields() {}

  private static VarHandle field(Class<?> holder, String name, Class<?> type)
      throws ReflectiveOperationException {
    return MethodHandles.privateLookupIn(holder, MethodHandles.lookup())
        .findVarHandle(holder, name, type);
  }

  /** Has a buffer of this class's caller show other memory, at the same capacity. */
  static void point(ByteBuffer direct, long address) {
    ADDRESS.set((Buffer) direct, address);
  }

  static long address(ByteBuffer direct) {
    return (long) ADDRESS.get((Buffer) direct);
  }

  /** Returns the segment that the buffer was made from; null for most buffers. */
  static @Nullable MemorySegment segment(ByteBuffer direct) {
    return (MemorySegment) SEGMENT.get((Buffer) direct);
  }

  static boolean isMapped(ByteBuffer direct) {
    return (Object) FILE.get((MappedByteBuffer) direct) != null;
  }

  /** Returns the array of a heap buffer, to be read only: read-only buffers hide theirs. */
  static byte[] array(ByteBuffer heapBuffer) {
    return (byte[]) ARRAY.get(heapBuffer);
  }

  static int arrayOffset(ByteBuffer heapBuffer) {
    return (int) ARRAY_OFFSET.get(heapBuffer);
  }
}
