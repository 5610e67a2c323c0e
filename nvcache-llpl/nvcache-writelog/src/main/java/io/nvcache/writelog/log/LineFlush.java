// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes cache lines back as the JDK does for its sync mappings (JEP 352), but of any memory, and
 * without a fence for each call: lines are then on their way while the thread computes. Needs
 * {@code --add-exports java.base/jdk.internal.misc}, and {@code --add-opens} of the same for lines
 * without a fence; without them a caller fences only, or once more.
 */
final class LineFlush {
  private static final int LINE_BYTES = 64;

  private static final @Nullable MethodHandle ADDRESS;
  private static final @Nullable MethodHandle WRITE_BACK;
  private static final @Nullable MethodHandle BEGIN;
  private static final @Nullable MethodHandle LINE;
  private static final @Nullable MethodHandle END;

  static {
    MethodHandle address = null;
    MethodHandle writeBack = null;
    MethodHandle begin = null;
    MethodHandle line = null;
    MethodHandle end = null;
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
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, lookup);
        MethodType nothing = MethodType.methodType(void.class);
        MethodType ofLine = MethodType.methodType(void.class, long.class);
        begin = inside.findVirtual(type, "writebackPreSync0", nothing).bindTo(unsafe);
        end = inside.findVirtual(type, "writebackPostSync0", nothing).bindTo(unsafe);
        line = inside.findVirtual(type, "writeback0", ofLine).bindTo(unsafe);
      }
    } catch (Throwable e) {
      line = null; // Not exported or opened, or another JDK: fewer means have to do.
    }
    ADDRESS = address;
    WRITE_BACK = writeBack;
    BEGIN = begin;
    LINE = line;
    END = end;
  }

  private LineFlush() {}

  /** Returns whether lines are really written back. */
  static boolean isReal() {
    return ADDRESS != null && WRITE_BACK != null;
  }

  /** Returns whether lines can be written back without a fence for each call. */
  static boolean isSplit() {
    return isReal() && BEGIN != null && LINE != null && END != null;
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
      throw cannot(e);
    }
  }

  /** Sends the lines of a direct buffer on their way. */
  static void begin(ByteBuffer buffer, int at, int length) {
    if (ADDRESS == null || BEGIN == null || LINE == null) {
      throw new IllegalStateException("lines can't be written back without a fence");
    }
    try {
      long begin = (long) ADDRESS.invokeExact(buffer) + at;
      long end = begin + length;
      BEGIN.invokeExact();
      for (long line = begin & -LINE_BYTES; line < end; line += LINE_BYTES) {
        LINE.invokeExact(line);
      }
    } catch (Throwable e) {
      throw cannot(e);
    }
  }

  /** Waits for the lines that are on their way. */
  static void end() {
    if (END == null) {
      throw new IllegalStateException("lines can't be written back without a fence");
    }
    try {
      END.invokeExact();
    } catch (Throwable e) {
      throw cannot(e);
    }
  }

  private static IllegalStateException cannot(Throwable e) {
    return new IllegalStateException("the JVM can't write cache lines back", e);
  }
}
