// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockCache;
import io.nvcache.ReusablePin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place for the block that one input reads now: pinned where it is cached and looked up, else on
 * the heap.
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

  /** The block if it was read or copied; else it is under the pin. */
  private @Nullable ByteBuffer bytes;

  private boolean cached;

  CurrentBlock(BlockCache blocks) {
    this.pin = blocks.reusablePin();
  }

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
    return file == wanted && offset == blockOffset;
  }

  /** Whether the block that is here is cached. */
  boolean isCached() {
    return cached;
  }

  boolean isOf(OpenedFile wanted) {
    return file == wanted;
  }

  /** Pins a cached block in the place of what was here; false if that is all and it missed. */
  boolean tryHold(OpenedFile of, long blockOffset) {
    file = null;
    bytes = null;
    if (pin.moveTo(of.file.id, blockOffset) != of.blockLength(blockOffset)) {
      pin.unpin();
      return false;
    }
    file = of;
    offset = blockOffset;
    cached = true;
    return true;
  }

  /**
   * Copies a cached block in the place of what was here, which is no lookup of the block cache;
   * false if that is all and it missed.
   *
   * @param room for a block, the caller's own; taken until another block comes here
   */
  boolean tryPeek(OpenedFile of, long blockOffset, ByteBuffer room) {
    clear();
    if (!of.peek(blockOffset, room)) {
      return false;
    }
    hold(of, blockOffset, room);
    cached = true;
    return true;
  }

  /** Puts a block here, where none is, that was read from the delegate. */
  void hold(OpenedFile of, long blockOffset, ByteBuffer read) {
    file = of;
    offset = blockOffset;
    bytes = read;
    cached = false;
  }

  /**
   * Copies a part of the block, and moves the position of {@code dst}.
   *
   * @param length all that {@code dst} has room for, or all until the block's end
   */
  void copy(int from, int length, ByteBuffer dst) {
    ByteBuffer held = bytes;
    if (held == null) {
      int copied = pin.copyRange(from, dst);
      assert copied == length : copied + " of " + length;
    } else {
      dst.put(dst.position(), held, from, length);
      dst.position(dst.position() + length);
    }
  }

  /** Gives the block back. */
  void clear() {
    file = null;
    bytes = null;
    pin.unpin();
  }
}
