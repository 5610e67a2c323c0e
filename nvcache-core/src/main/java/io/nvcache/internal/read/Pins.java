// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.PinnedBlock;
import org.jspecify.annotations.Nullable;

/** Pins blocks, lists the pins if that was asked for, and keeps the medium until they end. */
public final class Pins {
  private final PinReads reads;
  private final CopiedPins copied;
  private final PinnedMedium medium;
  private final @Nullable PinLog pinLog;
  private final @Nullable InPlaceReads inPlace;

  /**
   * Pins blocks of a cache.
   *
   * @param reads pins blocks where they lie, or as copies
   * @param copied makes the copies of either
   * @param pinLog lists pins; null if they are not listed
   * @param inPlace reads blocks where they lie without a pin; null if they can't be
   */
  public Pins(
      PinReads reads,
      CopiedPins copied,
      PinnedMedium medium,
      @Nullable PinLog pinLog,
      @Nullable InPlaceReads inPlace) {
    this.reads = reads;
    this.copied = copied;
    this.medium = medium;
    this.pinLog = pinLog;
    this.inPlace = inPlace;
  }

  /** Returns a pin on a block; null if it missed; the reason is counted. */
  @Nullable PinnedBlock pin(long fileId, long offset, PinReads.PastBound pastBound, int stripe) {
    PinnedBlock pin = reads.pin(new PinReads.Request(fileId, offset, pastBound), stripe);
    return pin == null || pinLog == null ? pin : pinLog.list(pin, fileId, offset);
  }

  /** Has a pin that is on no block take the one it names; returns its length or a miss. */
  int move(MovingPin pin, int stripe) {
    return reads.move(pin, stripe);
  }

  /** Returns what reads blocks where they lie without a pin; null if they can't be. */
  @Nullable InPlaceReads inPlace() {
    return inPlace;
  }

  @Nullable PinLog log() {
    return pinLog;
  }

  /** Ends the counting of a copy. */
  void uncount(MediumHandle handle, int length, int stripe) {
    medium.uncount(handle, length, stripe);
  }

  /** Returns the bytes of the copies that pins have, or will have. */
  public long copyBytes() {
    return copied.copyBytes();
  }

  /** Gives the medium to the pins that are left, or back. No call is inside any more. */
  public void close() {
    medium.close(copied::close);
  }
}
