// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferSum;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A read of a block from the medium, and the buffer that it goes to. The thread that reads owns it;
 * others that want the same block may join it, and copy what it brought.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>What is read is named, in {@link #begin}, before the first user is counted. While there is
 *       a user, neither the name nor the buffer is another read's: a thread that has counted itself
 *       as one, which it can do alongside others only, compares a name that stays.
 *   <li>The bytes are written before the outcome, and not after it.
 *   <li>The outcome is written before the users are looked at, and a user is counted before it
 *       looks at the outcome: so one of the two sees the other, and no one waits unheard.
 * </ul>
 *
 * <p>The generation is part of the name. A block that was invalidated and offered again may lie
 * where it lay before, with other bytes, in a later filling of its region: a read that began before
 * must not answer for it.
 */
public final class BlockRead {
  /** What has become of a read. */
  private enum Outcome {
    UNDER_WAY,
    READ,
    FAILED
  }

  /**
   * How long a thread waits for another's read, then reads by itself: whatever a medium does on its
   * threads, it can't have two of them wait for each other.
   */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final AlignedBuffer block;
  private final RegionCipher.Room room = new RegionCipher.Room();
  private final AtomicInteger users = new AtomicInteger();
  private @Nullable Thread owner;
  private long location;
  private long hash;
  private long generation;
  private int lengthBytes;
  private int first;
  private @Nullable ByteBuffer plain;

  /** Written before the owner leaves. */
  private boolean spoiled;

  private volatile Outcome outcome = Outcome.FAILED;

  /** Makes a read that goes to a buffer. */
  public BlockRead(AlignedBuffer block) {
    this.block = block;
  }

  /** Returns the buffer. */
  public AlignedBuffer block() {
    return block;
  }

  /** Returns where the block is opened, if it is sealed. */
  RegionCipher.Room room() {
    return room;
  }

  /** Names what the calling thread is going to read, and makes it the first user. */
  public void begin(long wantedLocation, long wantedHash, long wantedGeneration, int wantedBytes) {
    owner = Thread.currentThread();
    location = wantedLocation;
    hash = wantedHash;
    generation = wantedGeneration;
    lengthBytes = wantedBytes;
    outcome = Outcome.UNDER_WAY;
    users.set(1);
  }

  /**
   * Counts the calling thread as a user, if there is any; to {@linkplain #leave leave} whatever
   * {@link #isOf} says.
   */
  public boolean join() {
    int others = users.get();
    while (others > 0 && !users.compareAndSet(others, others + 1)) {
      others = users.get();
    }
    return others > 0;
  }

  /** Returns whether another thread reads this block. Asked by users. */
  public boolean isOf(
      long wantedLocation, long wantedHash, long wantedGeneration, int wantedBytes) {
    return location == wantedLocation
        && hash == wantedHash
        && generation == wantedGeneration
        && lengthBytes == wantedBytes
        && owner != Thread.currentThread();
  }

  /** Says where in the buffer the block's bytes begin. */
  public void succeed(int firstByte) {
    first = firstByte;
    plain = null;
    end(Outcome.READ);
  }

  /** Says where the block is that was sealed in the buffer. */
  void succeed(ByteBuffer opened) {
    plain = opened;
    end(Outcome.READ);
  }

  /** Ends the read, if it did not {@linkplain #succeed succeed}. */
  void fail() {
    if (outcome == Outcome.UNDER_WAY) {
      end(Outcome.FAILED);
    }
  }

  /** Has no other read get the buffer, and only the garbage collector free its memory. */
  void spoil() {
    spoiled = true;
    block.leaveToCollector();
  }

  boolean isSpoiled() {
    return spoiled;
  }

  private void end(Outcome its) {
    outcome = its;
    if (isShared()) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Returns whether there are users other than the owner. */
  boolean isShared() {
    return users.get() > 1;
  }

  /** Waits for the read of another thread; false if it brought nothing, or takes long. */
  public boolean await() {
    if (outcome == Outcome.UNDER_WAY) {
      waitForOutcome();
    }
    return outcome == Outcome.READ;
  }

  private synchronized void waitForOutcome() {
    long began = System.nanoTime();
    long left = MOST_WAIT_NANOS;
    boolean interrupted = false;
    while (outcome == Outcome.UNDER_WAY && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = MOST_WAIT_NANOS - (System.nanoTime() - began);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Copies bytes of the block that was read. */
  public void copyOut(int from, ByteBuffer dst, int position, int copiedBytes) {
    ByteBuffer opened = plain;
    if (opened == null) {
      block.copyOut(first + from, dst, position, copiedBytes);
    } else {
      copyOut(opened, from, dst, position, copiedBytes);
    }
  }

  /** Copies bytes of a block that was opened. */
  static void copyOut(ByteBuffer opened, int from, ByteBuffer dst, int position, int copiedBytes) {
    if (RawMemory.mayVanish(dst)) {
      VanishingMemory.copyTo(dst, position, opened.slice(from, copiedBytes));
    } else {
      dst.duplicate().clear().put(position, opened, from, copiedBytes);
    }
  }

  /** Puts the block that was read where it was allocated again. */
  void put(BlockCodec codec, long to) {
    ByteBuffer opened = plain;
    ByteBuffer bytes = opened == null ? block.whole() : opened;
    int from = opened == null ? first : 0;
    codec.put(to, hash, BufferSum.of(bytes, from, lengthBytes), bytes, from, lengthBytes);
  }

  /** Is used by one thread less; true if it was the last one. */
  public boolean leave() {
    if (users.decrementAndGet() > 0) {
      return false;
    }
    owner = null;
    plain = null;
    return true;
  }
}
