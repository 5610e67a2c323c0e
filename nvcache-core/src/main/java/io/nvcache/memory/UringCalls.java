// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The system calls by which Linux' io_uring reads files. Each returns what the call does, or a
 * negative error number.
 *
 * <p>The JDK has none of them; they are made by {@code java.lang.foreign} on JDK 22 and later.
 */
abstract class UringCalls {
  /** A system property by which operators choose threads instead. */
  private static final String CHOICE = "nvcache.batches";

  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final int EBUSY = 16;

  /** Has {@link Entrance#enter} wait. */
  static final int GET_EVENTS = 1;

  /**
   * Returns the calls of this system.
   *
   * @throws IOException if the JVM or the system has none; says why
   */
  static UringCalls ofSystem() throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new IOException("only Linux has io_uring");
    }
    if ("threads".equals(System.getProperty(CHOICE))) {
      throw new IOException("-D" + CHOICE + "=threads asks for threads");
    }
    return ForeignTwin.calling(UringCalls.class, "ForeignUring");
  }

  /** Opens a file for direct reads; the descriptor is not inherited by other programs. */
  abstract int open(Path path);

  abstract void close(int descriptor);

  /**
   * Makes a ring, whose descriptor is not inherited by other programs.
   *
   * @param parameters the address of a {@code struct io_uring_params}, which the kernel fills
   */
  abstract int setup(int entries, long parameters);

  /** Maps a part of a ring's memory, and returns its address; a forked process does not get it. */
  abstract long map(int ring, long lengthBytes, long offset);

  abstract void unmap(long address, long lengthBytes);

  /** Returns how one thread at a time enters the kernel with a ring. */
  abstract Entrance entrance(int ring);

  /**
   * Returns whether the calling thread is virtual. The JDK does not know of waits in these calls:
   * unlike in its own reads, it lets no other carrier run instead of the one that waits.
   */
  boolean isThreadVirtual() {
    return false;
  }

  /** Returns the system's text for an error number. */
  abstract String text(int error);

  /** {@code io_uring_enter} of one ring, which allocates nothing. */
  interface Entrance {
    /**
     * Has the kernel take reads, and waits until so many are complete.
     *
     * @param flags 0 or {@link #GET_EVENTS}
     * @return how many reads it took, or a negative error number
     */
    int enter(int taken, int complete, int flags);
  }
}
