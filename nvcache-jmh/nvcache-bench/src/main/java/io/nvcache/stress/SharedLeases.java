// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.PinnedBlock;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the threads of a round have in common, and another one after it: any of them reads
 * it while another one closes it, and that may be a third one than who pinned the block. For some
 * of them all threads meet, and do nothing else until it is closed: what goes wrong between two
 * that begin to read and one that closes takes nanoseconds.
 */
final class SharedLeases {
  /** No file's id. */
  static final long CLOSED = 0;

  private final AtomicReference<@Nullable Shared> current = new AtomicReference<>();
  private volatile @Nullable Shared meeting;

  /** A lease, and what its bytes must be. */
  static final class Shared {
    final long fileId;
    final long offset;
    final int oldest;
    final int newest;
    private final PinnedBlock lease;
    private final AtomicInteger copying = new AtomicInteger();
    private volatile boolean ended;

    /**
     * Takes the lease over.
     *
     * @param oldest version that it may be of
     * @param newest and the newest
     */
    Shared(PinnedBlock lease, long fileId, long offset, int oldest, int newest) {
      this.lease = lease;
      this.fileId = fileId;
      this.offset = offset;
      this.oldest = oldest;
      this.newest = newest;
    }

    /** Copies the block's bytes and flips the buffer; false if the lease was closed before. */
    boolean copyTo(ByteBuffer dst) {
      copying.incrementAndGet();
      try {
        lease.copyTo(dst.clear());
        dst.flip();
        return true;
      } catch (IllegalStateException e) {
        if (!ended) {
          throw e;
        }
        return false;
      } finally {
        copying.decrementAndGet();
      }
    }

    /** Whether some thread is copying it, or was interrupted by the system while it did. */
    boolean isBeingCopied() {
      return copying.get() > 0;
    }

    /** What the block says of which file it is; something else if the lease was closed before. */
    long fileIdOr(long closed) {
      try {
        return lease.getLong(0);
      } catch (IllegalStateException e) {
        if (!ended) {
          throw e;
        }
        return closed;
      }
    }

    void end() {
      ended = true;
      lease.close();
    }
  }

  /** The lease; it may be closed by now. */
  @Nullable Shared current() {
    return current.get();
  }

  /** Puts a lease in the place of the last, which is closed. */
  void put(Shared shared) {
    Shared before = current.getAndSet(shared);
    if (before != null) {
      before.end();
    }
  }

  /** Calls all threads to a lease. */
  void meetAt(Shared shared) {
    meeting = shared;
  }

  /** The lease that all threads are called to just now. */
  @Nullable Shared meeting() {
    Shared called = meeting;
    return called == null || called.ended ? null : called;
  }

  /** Closes what is left. To be called when nobody puts any more. */
  void end() {
    Shared left = current.getAndSet(null);
    if (left != null) {
      left.end();
    }
  }
}
