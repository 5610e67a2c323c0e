// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.reading;

import io.nvcache.BlockCache;
import io.nvcache.ReusablePin;
import io.nvcache.lucene.files.OpenedFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place for the cached block that one input reads now, pinned: where blocks can't be read in
 * place.
 *
 * <p><b>Invariants.</b> All fields but {@code busy} belong to the thread that entered, and entering
 * never waits. A place is known by its claim: a number that is new each time another input takes
 * it, so that an input that lost its place sees so when it enters. Each place has one pin, which is
 * on the block of {@code file} at {@code offset} or on none, so as many blocks are pinned as there
 * are places, at most.
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

  private final ReusablePin pin;
  private long claim;

  /** Null while no block is here. */
  private @Nullable OpenedFile file;

  private long offset;

  CurrentBlock(BlockCache blocks) {
    this.pin = blocks.reusablePin();
  }

  /** Whether the calling thread has the place to itself now, and must leave it. */
  boolean tryEnter() {
    return BUSY.compareAndSet(this, false, true);
  }

  /** The same to the input that claimed the place, as long as no other one did. */
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
    return file == wanted && offset == blockOffset;
  }

  boolean isOf(OpenedFile wanted) {
    return file == wanted;
  }

  /** Pins a cached block instead of what was here; false if that is all and it missed. */
  boolean tryHold(OpenedFile of, long blockOffset) {
    file = null;
    if (pin.moveTo(of.id(), blockOffset) != of.blockLength(blockOffset)) {
      pin.unpin();
      return false;
    }
    file = of;
    offset = blockOffset;
    return true;
  }

  /** Copies as much of the block as {@code dst} has room for. */
  void copy(int from, ByteBuffer dst) {
    int wanted = dst.remaining();
    int copied = pin.copyRange(from, dst);
    assert copied == wanted : copied + " of " + wanted;
  }

  /** Gives the block back. */
  void clear() {
    file = null;
    pin.unpin();
  }
}
