// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** Holes by {@code fallocate} of Linux' C library. */
final class ForeignHoles extends FileHoles {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle OPEN =
      function(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          WITH_ERRNO,
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FALLOCATE =
      function(
          "fallocate",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
          WITH_ERRNO);
  private static final MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle STRERROR =
      function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  // The same on all processors.
  private static final int READ_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final int KEEP_SIZE_AND_PUNCH_HOLE = 3;
  private static final int EINTR = 4;

  private final Path path;
  private final int descriptor;

  ForeignHoles(Path path) throws IOException {
    this.path = path;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      this.descriptor =
          (int)
              OPEN.invokeExact(
                  state, arena.allocateFrom(path.toString()), READ_WRITE | CLOSE_ON_EXEC);
      if (descriptor < 0) {
        throw failure("open", state);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(), descriptor, options);
  }

  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("a function of the C library threw", e);
  }

  private IOException failure(String what, MemorySegment state) throws Throwable {
    int errno = (int) ERRNO.get(state, 0L);
    MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
    return new IOException(
        what + " of " + path + " failed: " + text.reinterpret(Long.MAX_VALUE).getString(0));
  }

  @Override
  public Path descriptor() {
    return Path.of("/proc/self/fd", Integer.toString(descriptor));
  }

  @Override
  public void punch(long offset, long length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      while ((int)
              FALLOCATE.invokeExact(state, descriptor, KEEP_SIZE_AND_PUNCH_HOLE, offset, length)
          != 0) {
        if ((int) ERRNO.get(state, 0L) != EINTR) {
          throw failure("fallocate", state);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public void close() {
    try {
      int ignored = (int) CLOSE.invokeExact(descriptor); // Linux closes it whatever this says.
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }
}
