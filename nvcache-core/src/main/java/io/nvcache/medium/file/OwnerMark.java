// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.MediumLostException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mark by which one cache has a file or a device, and no other.
 *
 * <p>A lock alone does not do. POSIX takes a process's locks of a file away when the process closes
 * any descriptor of it, as a backup does that reads the file; and two nodes of one device have two
 * locks. So the owner's name is on the medium as well. A process that finds it there refuses to
 * open the medium while that process runs. Where that can't be seen, as from another container, it
 * <em>knocks</em>: it writes a number into the mark, which a living owner takes out again at its
 * next {@linkplain #check look}, within a second.
 *
 * <p>An owner that finds another mark has lost the medium, and uses it no more.
 */
final class OwnerMark {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerMark.class);

  /** Two looks of an owner, and some time for a machine that is busy. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private static final long POLL_MILLIS = 50;

  private final Path path;
  private final MarkPlace place;
  private volatile long kind;
  private final UUID nonce = UUID.randomUUID();

  /** What lies there while the cache has it; under this object's monitor. */
  private @Nullable Mark own;

  /** Why this cache must not touch the medium any more; empty if it may. */
  private volatile String lost = "";

  /**
   * Makes a mark that is yet to be written.
   *
   * @param kind of mark
   */
  OwnerMark(Path path, MarkPlace place, long kind) {
    this.path = path;
    this.place = place;
    this.kind = kind;
  }

  /** Throws if a process that runs has what lies there. To be called before the first write. */
  static void requireFree(Path path, MarkPlace place) throws IOException {
    requireFree(path, place, PATIENCE_NANOS);
  }

  static void requireFree(Path path, MarkPlace place, long patienceNanos) throws IOException {
    Mark there = place.read();
    if (there == null || there.owner() == null) {
      return;
    }
    switch (there.owner().life()) {
      case RUNNING -> throw new FileHeldException(path, "process " + there.owner().pid(), null);
      case UNKNOWN -> knock(path, place, there, patienceNanos);
      // Of this process's caches others know; this one was dropped.
      case OWN, ENDED -> {}
    }
  }

  private static void knock(Path path, MarkPlace place, Mark there, long patienceNanos)
      throws IOException {
    long knock = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    place.write(there.knocked(knock));
    long end = System.nanoTime() + patienceNanos;
    while (end - System.nanoTime() > 0) {
      sleep(path);
      Mark now = place.read();
      if (now == null || now.knock() != knock) {
        throw new FileHeldException(path, "a process of another container or machine", null);
      }
    }
    LOG.info(
        "{} was not closed by its last cache, whose process is not to be seen from here and did"
            + " not answer; it is taken over",
        path);
  }

  private static void sleep(Path path) throws IOException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the thread was interrupted while it opened " + path, e);
    }
  }

  /** Returns whether an earlier cache filled a file of this length, and marked it. */
  boolean isOf(long lengthBytes) throws IOException {
    Mark there = place.read();
    return there != null
        && there.isFlash() == (kind != Mark.MAPPED)
        && there.lengthBytes() == lengthBytes;
  }

  /** Returns whether a mark lies there of a medium without a block in the clear. */
  boolean isOfSealed() throws IOException {
    Mark there = place.read();
    return there != null && there.kind() == Mark.SEALED;
  }

  /** Returns which kind of mark is written. */
  long kind() {
    return kind;
  }

  /** Has it be another kind of mark from now on, also where it lies already; if not, it throws. */
  synchronized void become(long newKind) throws IOException {
    Mark mark = own;
    if (mark != null) {
      write(newKind, mark.lengthBytes());
    }
    kind = newKind; // What a failed write left is written again by the next call.
  }

  /**
   * Says that this process has the file.
   *
   * @param lengthBytes that it has now; 0 while it is being filled
   */
  synchronized void write(long lengthBytes) throws IOException {
    write(kind, lengthBytes);
  }

  private synchronized void write(long itsKind, long lengthBytes) throws IOException {
    Mark mark = new Mark(itsKind, lengthBytes, nonce, ProcessName.own(), 0);
    place.write(mark);
    own = mark;
  }

  /** Writes the same once more. */
  synchronized void renew() throws IOException {
    requireOwn();
    if (own != null) {
      place.write(own);
    }
  }

  /** Returns whether the same mark lies in another place, which then is the same one. */
  boolean isAt(MarkPlace other) throws IOException {
    Mark there = other.read();
    return there != null && there.nonce().equals(nonce);
  }

  /**
   * Answers whoever knocked.
   *
   * @throws MediumLostException if this cache has the medium no more
   */
  synchronized void check() throws IOException {
    Mark mark = own;
    if (mark == null) {
      return;
    }
    requireOwn();
    Mark there = place.read();
    if (there == null || !there.nonce().equals(nonce)) {
      lost =
          path
              + (there == null ? " was overwritten" : " was taken over by another cache")
              + " while this cache had it, which uses it no more; give each cache a file of its"
              + " own, close this one and build another";
      requireOwn();
      return;
    }
    if (there.knock() != 0) {
      place.write(mark);
    }
  }

  /**
   * To be called before the medium is written to.
   *
   * @throws MediumLostException if this cache was found to have it no more
   */
  void requireOwn() throws MediumLostException {
    String why = lost;
    if (!why.isEmpty()) {
      throw new MediumLostException(why);
    }
  }

  boolean isLost() {
    return !lost.isEmpty();
  }

  /** Says that no process has the file any more. */
  synchronized void release() {
    Mark mark = own;
    own = null;
    try {
      if (mark != null && !isLost() && isAt(place)) {
        place.write(mark.released());
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} can't be marked as closed", path, e); // The process's end says it as well.
    }
  }
}
