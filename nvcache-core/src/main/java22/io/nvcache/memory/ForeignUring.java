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

/**
 * The calls of io_uring by {@code syscall} of Linux' C library, which has no functions for them.
 */
final class ForeignUring extends UringCalls {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle SYSCALL =
      function(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
              JAVA_LONG),
          WITH_ERRNO,
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle OPEN =
      function(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          WITH_ERRNO,
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle MMAP =
      function(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
          WITH_ERRNO);
  private static final MethodHandle MUNMAP =
      function("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MADVISE =
      function("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle STRERROR =
      function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  // The same on all processors that Java runs on.
  private static final long SETUP = 425;
  private static final long ENTER = 426;
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final int READ_AND_WRITE = 3;
  private static final int SHARED = 1;
  private static final int DONT_FORK = 10;

  private final int openFlags;

  ForeignUring() throws IOException {
    this.openFlags = CLOSE_ON_EXEC | direct();
  }

  /** O_DIRECT of this processor. */
  private static int direct() throws IOException {
    String processor = System.getProperty("os.arch");
    return switch (processor) {
      case "amd64", "x86_64", "riscv64", "loongarch64", "s390x" -> 040000;
      case "aarch64" -> 0200000;
      default -> throw new IOException("io_uring is not known on " + processor);
    };
  }

  private static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(), descriptor, options);
  }

  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("a function of the C library threw", e);
  }

  private static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  @Override
  int open(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int descriptor =
          (int) OPEN.invokeExact(state, arena.allocateFrom(path.toString()), openFlags);
      return descriptor < 0 ? -errno(state) : descriptor;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void close(int descriptor) {
    try {
      int ignored = (int) CLOSE.invokeExact(descriptor); // Linux closes it whatever this says.
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  int setup(int entries, long parameters) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long descriptor =
          (long) SYSCALL.invokeExact(state, SETUP, (long) entries, parameters, 0L, 0L, 0L, 0L);
      return descriptor < 0 ? -errno(state) : (int) descriptor;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  long map(int ring, long lengthBytes, long offset) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long address =
          (long) MMAP.invokeExact(state, 0L, lengthBytes, READ_AND_WRITE, SHARED, ring, offset);
      if (address == -1) {
        return -errno(state);
      }
      int ignored = (int) MADVISE.invokeExact(address, lengthBytes, DONT_FORK);
      return address;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void unmap(long address, long lengthBytes) {
    try {
      int ignored = (int) MUNMAP.invokeExact(address, lengthBytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  Entrance entrance(int ring) {
    return new RingEntrance(ring);
  }

  @Override
  boolean isThreadVirtual() {
    return Thread.currentThread().isVirtual();
  }

  @Override
  String text(int error) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(error);
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Has its own room for the error number: a call allocates nothing. */
  private static final class RingEntrance implements Entrance {
    private final long ring;
    private final MemorySegment state = Arena.ofAuto().allocate(STATE);

    RingEntrance(long ring) {
      this.ring = ring;
    }

    @Override
    public int enter(int taken, int complete, int flags) {
      try {
        long answer =
            (long)
                SYSCALL.invokeExact(
                    state, ENTER, ring, (long) taken, (long) complete, (long) flags, 0L, 0L);
        return answer < 0 ? -errno(state) : (int) answer;
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }
  }
}
