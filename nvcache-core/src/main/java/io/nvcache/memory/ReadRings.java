// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read by io_uring: a descriptor, which takes away the locks that the process has on
 * the file when it is closed, and rings for as many threads as read at once, up to {@value #MOST}.
 * A ring takes a descriptor and some 20 KiB of the kernel's memory.
 */
public final class ReadRings implements AutoCloseable {
  static final int MOST = 32;

  private final UringCalls kernel;
  private final int file;
  private final LendingPlaces<ReadRing> kept = new LendingPlaces<>(MOST);

  /** All rings, lent or not. */
  private final Queue<ReadRing> all = new ConcurrentLinkedQueue<>();

  private final AtomicInteger count = new AtomicInteger();

  private ReadRings(UringCalls kernel, int file) {
    this.kernel = kernel;
    this.file = file;
  }

  /**
   * Opens a file.
   *
   * @throws IOException if the JVM or the system has no io_uring, forbids it, or can't open the
   *     file; says why
   */
  public static ReadRings open(Path path) throws IOException {
    return open(UringCalls.ofSystem(), path);
  }

  static ReadRings open(UringCalls kernel, Path path) throws IOException {
    ReadRing.open(kernel, -1).close(); // Asked first: a descriptor can't be given back at once.
    int file = kernel.open(path);
    if (file < 0) {
      throw new IOException("can't open " + path + " again: " + kernel.text(-file));
    }
    return new ReadRings(kernel, file);
  }

  /** Returns a path that leads to the very file that is open. */
  public Path descriptor() {
    return Path.of("/proc/self/fd", Integer.toString(file));
  }

  /**
   * Reads once, to see that the kernel knows how.
   *
   * @param address of memory for it, as {@link ReadRing#add} wants it
   * @throws IOException if it does not; says why
   */
  public void probe(long position, long address, int lengthBytes) throws IOException {
    ReadRing ring = ReadRing.open(kernel, file);
    try {
      ring.add(position, address, lengthBytes);
      ring.read();
      if (!ring.isRead(0)) {
        throw new IOException("a read by io_uring failed: " + ring.result(0));
      }
    } finally {
      ring.close();
    }
  }

  /** Returns whether a wait for a ring keeps other threads from running: the caller is virtual. */
  public boolean holdCarrier() {
    return kernel.isThreadVirtual();
  }

  /** Returns a ring that is the calling thread's own; null if as many as may be are lent. */
  public @Nullable ReadRing take() {
    ReadRing ring = kept.take();
    return ring == null ? make() : ring;
  }

  private @Nullable ReadRing make() {
    if (count.incrementAndGet() <= MOST) {
      try {
        ReadRing ring = ReadRing.open(kernel, file);
        all.add(ring);
        return ring;
      } catch (IOException noneLeft) {
        // Perhaps of descriptors. The reads are made one by one, and the next ones try again.
      }
    }
    count.decrementAndGet();
    return null;
  }

  /** Gives a ring back. */
  public void giveBack(ReadRing ring) {
    if (ring.isUsable()) {
      ring.clear();
      kept.keep(ring); // There are as many places as rings.
    } else if (!ring.isBusy()) {
      all.remove(ring);
      count.decrementAndGet();
      ring.close();
    }
  }

  /** Closes the file and all rings; no thread is inside any more. */
  @Override
  public void close() {
    for (ReadRing ring = all.poll(); ring != null; ring = all.poll()) {
      ring.close();
    }
    kernel.close(file);
  }
}
