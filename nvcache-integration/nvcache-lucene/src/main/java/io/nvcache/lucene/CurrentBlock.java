// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.PinnedBlock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place for the block that one input reads now: pinned where it is cached, else on the heap.
 *
 * <p><b>Invariants.</b> All fields but {@code busy} belong to the thread that entered, and entering
 * never waits. A place is known by its claim: a number that is new each time another input takes
 * it, so that an input that lost its place sees so when it enters. A pin is closed before another
 * one is put in its place, so as many blocks are pinned as there are places, at most.
 */
final class CurrentBlock {
  private static final VarHandle BUSY;

  static {
    try {
      BUSY = MethodHandles.lookup().findVarHandle(CurrentBlock.class, "busy", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // By the handle.
  private volatile boolean busy;

  private long claim;
  private @Nullable OpenedFile file;
  private long offset;
  private @Nullable PinnedBlock pin;
  private @Nullable ByteBuffer bytes;

  /** Whether the calling thread has the place to itself now, and must leave it. */
  boolean tryEnter() {
    return BUSY.compareAndSet(this, false, true);
  }

  /** The same, for the input that claimed the place, as long as no other one did. */
  boolean tryEnter(long myClaim) {
    if (!tryEnter()) {
      return false;
    }
    if (claim == myClaim) {
      return true;
    }
    leave();
    return false;
  }

  void leave() {
    BUSY.setVolatile(this, false);
  }

  /** Takes the place, which was entered, from the input that had it. */
  long claim() {
    clear();
    return ++claim;
  }

  boolean holds(OpenedFile wanted, long blockOffset) {
    return file == wanted && offset == blockOffset && bytes != null;
  }

  boolean isOf(OpenedFile wanted) {
    return file == wanted;
  }

  /** Puts a cached block here, whose pin this place closes from now on. */
  void hold(OpenedFile of, long blockOffset, PinnedBlock pinned) {
    pin = pinned;
    file = of;
    offset = blockOffset;
    bytes = pinned.buffer();
  }

  /** Puts a block here that was read from the delegate. */
  void hold(OpenedFile of, long blockOffset, ByteBuffer read) {
    file = of;
    offset = blockOffset;
    bytes = read;
  }

  /** Copies a part of the block, and moves the position of {@code dst}. */
  void copy(int from, int length, ByteBuffer dst) {
    ByteBuffer held = bytes;
    if (held == null) {
      throw new IllegalStateException("no block is held here");
    }
    if (dst.hasArray()) {
      held.get(from, dst.array(), dst.arrayOffset() + dst.position(), length);
    } else {
      dst.put(dst.position(), held, from, length);
    }
    dst.position(dst.position() + length);
  }

  /** Gives the block back. */
  void clear() {
    PinnedBlock pinned = pin;
    pin = null;
    bytes = null;
    file = null;
    if (pinned != null) {
      pinned.close();
    }
  }
}
