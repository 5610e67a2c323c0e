// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.tune;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.DriveSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Reads from random places of the medium, whatever lies there, and reports how long that took: what
 * a reader would see just now, without a word to the hit path. Used by one thread at a time.
 */
public final class MediumProbe {
  private static final int READS = 32;
  private static final int MAX_BYTES = 16 << 10;

  /** Enough to find places on a drive that has a hundredth of the medium. */
  private static final int MOST_PLACES = 1 << 14;

  private final MediumSpace space;
  private final DriveSet drives;
  private final CallGate gate;
  private final MediumGuard guard;
  private final LongSupplier nanoTime;
  private final SplittableRandom random = new SplittableRandom(0x5eed);
  private final ByteBuffer buffer;
  private final int alignment;
  private final long places;

  public MediumProbe(MediumSpace space, MediumGuard guard, CallGate gate, LongSupplier nanoTime) {
    this.space = space;
    this.drives = space.medium().drives();
    this.gate = gate;
    this.guard = guard;
    this.nanoTime = nanoTime;
    this.buffer = ByteBuffer.allocate((int) Math.min(MAX_BYTES, space.medium().capacityBytes()));
    this.alignment = Math.max(1, space.medium().alignmentBytes());
    this.places = (space.medium().capacityBytes() - buffer.capacity()) / alignment + 1;
  }

  /**
   * Refuses a medium on which only whole blocks can be read.
   *
   * @throws IllegalArgumentException if this is one
   */
  void requirePossible() {
    if (space.medium().readsWholeBlocks()) {
      throw new IllegalArgumentException(
          "tuning reads the medium at random places, but of "
              + space.medium().describe()
              + " only whole blocks can be read; set the overhead target by hand, as calibrate"
              + " recommends it");
    }
  }

  /**
   * Returns the median, in nanoseconds for a byte, of the drives that serve; NaN if the medium
   * fails or the cache is closed.
   */
  double nanosPerByte() {
    double[] nanos = new double[READS];
    int stripe = gate.begin();
    try {
      int read = 0;
      for (int drawn = 0; read < READS; drawn++) {
        if (gate.isClosed() || guard.isOut() || drawn == MOST_PLACES) {
          return Double.NaN;
        }
        long offset = random.nextLong(places) * alignment;
        if (drives.serve(offset, buffer.capacity()) && reads(offset, nanos, read)) {
          read++;
        }
      }
    } catch (IOException | RuntimeException | InternalError e) {
      return Double.NaN;
    } finally {
      gate.end(stripe);
    }
    Arrays.sort(nanos);
    return nanos[READS / 2] / buffer.capacity();
  }

  /** Returns false if it is one drive of several that failed. */
  private boolean reads(long offset, double[] nanos, int i) throws IOException {
    long from = nanoTime.getAsLong();
    try {
      space.medium().read(offset, buffer.clear(), buffer.capacity());
    } catch (DriveException ofOneDrive) {
      return false;
    }
    nanos[i] = nanoTime.getAsLong() - from;
    return true;
  }
}
