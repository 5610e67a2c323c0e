// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes cache lines back as the JDK does for its sync mappings (JEP 352), but of any memory. Needs
 * {@code --add-exports java.base/jdk.internal.misc}; without it a caller fences only.
 */
final class LineFlush {
  private static final @Nullable MethodHandle ADDRESS;
  private static final @Nullable MethodHandle WRITE_BACK;

  static {
    MethodHandle address = null;
    MethodHandle writeBack = null;
    try {
      Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Object unsafe = lookup.findStatic(type, "getUnsafe", MethodType.methodType(type)).invoke();
      long offset =
          (long)
              lookup
                  .findVirtual(
                      type,
                      "objectFieldOffset",
                      MethodType.methodType(long.class, Class.class, String.class))
                  .invoke(unsafe, Buffer.class, "address");
      MethodType toGet = MethodType.methodType(long.class, Object.class, long.class);
      address =
          MethodHandles.insertArguments(
                  lookup.findVirtual(type, "getLong", toGet).bindTo(unsafe), 1, offset)
              .asType(MethodType.methodType(long.class, ByteBuffer.class));
      MethodType toAsk = MethodType.methodType(boolean.class);
      if ((boolean) lookup.findStatic(type, "isWritebackEnabled", toAsk).invoke()) {
        MethodType ofRange = MethodType.methodType(void.class, long.class, long.class);
        writeBack = lookup.findVirtual(type, "writebackMemory", ofRange).bindTo(unsafe);
      }
    } catch (Throwable e) {
      writeBack = null; // Not exported, or another JDK: a fence has to do.
    }
    ADDRESS = address;
    WRITE_BACK = writeBack;
  }

  private LineFlush() {}

  /** Returns whether lines are really written back. */
  static boolean isReal() {
    return ADDRESS != null && WRITE_BACK != null;
  }

  /** Writes the lines of a direct buffer back, and fences. */
  static void flush(ByteBuffer buffer, int at, int length) {
    if (ADDRESS == null || WRITE_BACK == null) {
      VarHandle.fullFence();
      return;
    }
    try {
      WRITE_BACK.invokeExact((long) ADDRESS.invokeExact(buffer) + at, (long) length);
    } catch (Throwable e) {
      throw new IllegalStateException("the JVM can't write cache lines back", e);
    }
  }
}
