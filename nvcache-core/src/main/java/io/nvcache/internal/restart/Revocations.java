// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.background.Waiting;
import io.nvcache.internal.gate.CallGate;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Has the medium know which files must not be restored, before who invalidated a block of them goes
 * on: then neither a kill nor the loss of power brings the block back.
 *
 * <p>Its own thread writes, so that a medium that hangs keeps callers no longer than a call may
 * take. Those that come while it writes share the next write. What it can't write, the regions'
 * thread tries again once a second.
 */
public final class Revocations {
  private final DurableRegions regions;
  private final Runnable writing;
  private final Executor writer;
  private final CallGate gate;
  private final long patienceNanos;

  /** The write that has not begun; under the monitor. */
  private @Nullable Write next;

  /** Whether the cache has ended, and written what it could; under the monitor. */
  private boolean ended;

  /** How many revocations there were before the last write that has ended. */
  private volatile long tried;

  /** Whether a write takes longer than a call may. */
  private volatile boolean overdue;

  /** A write that callers wait for. */
  private static final class Write {
    final Semaphore end = new Semaphore(0);

    void ended() {
      end.release(Integer.MAX_VALUE);
    }
  }

  /**
   * Makes the waiting.
   *
   * @param writing has the medium know of what it does not know yet; any thread may run it
   * @param writer a thread that the medium may keep, or the caller's
   * @param patienceNanos how long a call may take
   */
  public Revocations(
      DurableRegions regions,
      Runnable writing,
      Executor writer,
      CallGate gate,
      long patienceNanos) {
    this.regions = regions;
    this.writing = writing;
    this.writer = writer;
    this.gate = gate;
    this.patienceNanos = patienceNanos;
  }

  /** Revokes a file; to be {@linkplain #await waited for}. */
  public void revoke(FileIdentity file) {
    regions.revoke(file);
  }

  /** Revokes all files. */
  public void revokeAll() {
    regions.revokeAll();
  }

  /**
   * Waits until the medium knows of all that was revoked before, or can't be written, or takes too
   * long. To be called outside the gate: who closes the cache writes it as well.
   */
  public void await() {
    long wanted = regions.revocations();
    boolean isKept = regions.keptRevocations() >= wanted;
    if (isKept || tried >= wanted || overdue || regions.isWritingInCaller()) {
      return;
    }
    Write write = begin();
    if (write == null) {
      return;
    }
    if (Waiting.acquire(write.end, patienceNanos)) {
      write.end.release();
    } else {
      overdue = true;
    }
  }

  private @Nullable Write begin() {
    Write write;
    synchronized (this) {
      if (ended || next != null) {
        return next;
      }
      write = new Write();
      next = write;
    }
    try {
      writer.execute(this::write);
    } catch (RuntimeException | Error noThread) {
      write();
    }
    return write;
  }

  private void write() {
    int stripe = gate.begin();
    try {
      if (!gate.isClosed()) { // Else who closes it writes.
        writeNext();
      }
    } finally {
      gate.end(stripe);
    }
  }

  private void writeNext() {
    Write write;
    synchronized (this) {
      write = next;
      next = null;
    }
    long wanted = regions.revocations();
    try {
      writing.run();
    } finally {
      tried = wanted;
      overdue = false;
      if (write != null) {
        write.ended();
      }
    }
  }

  /** The cache has ended, and has written what it could: no one waits any more. */
  public void end() {
    synchronized (this) {
      ended = true;
      if (next != null) {
        next.ended();
        next = null;
      }
    }
  }

  /** Returns what keeps blocks that were invalidated from staying so after a restart, or null. */
  public @Nullable String trouble() {
    long kept = regions.keptRevocations();
    long missing = regions.revocations() - kept;
    if (missing == 0 || !(overdue || tried > kept)) {
      return null;
    }
    return "the medium "
        + (overdue ? "hangs" : "fails")
        + ", and does not have "
        + missing
        + " of the invalidations of blocks: after a kill, the next warm start would restore their"
        + " files. Start the next cache cold, or give these files other identities";
  }
}
