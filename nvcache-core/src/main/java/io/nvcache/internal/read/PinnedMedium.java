// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.internal.gate.GlobalFence;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.medium.Medium;
import io.nvcache.stats.StripedCounters;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Counts the bytes under pin, and keeps the medium for as long as pins read it. */
public final class PinnedMedium {
  private final StripedCounters counters;
  private final PinnedBytes bytes;

  /** Null once no call can touch the medium any more, except for pins. */
  private volatile @Nullable MediumHandle medium;

  public PinnedMedium(Medium medium, EngineSettings settings, StripedCounters counters) {
    this.counters = counters;
    this.bytes = new PinnedBytes(counters, settings.maxPinnedBytes());
    settings.addListener(
        (setting, before, after) -> bytes.maxPinnedBytes(settings.maxPinnedBytes()));
    this.medium = new MediumHandle(medium);
  }

  /** Returns the medium, which is open while calls are inside the gate. */
  MediumHandle handle() {
    MediumHandle handle = medium;
    if (handle == null) {
      throw new IllegalStateException("the medium was given back while a lookup ran");
    }
    return handle;
  }

  /** Reserves bytes for a pin on the calling thread's stripe; false if that is past the bound. */
  boolean reserve(int stripe, int length) {
    return bytes.reserve(stripe, length);
  }

  /** Takes back a reservation, inside the gate: no pin had it. */
  void unreserve(int stripe, int length) {
    bytes.release(stripe, length);
  }

  /** Ends the counting of a pin. Touches no memory of the medium, so it needs no gate. */
  void uncount(MediumHandle handle, int length, int stripe) {
    bytes.release(stripe, length);
    GlobalFence.meet();
    if (medium == null) {
      releaseIfUnpinned(handle);
    }
  }

  /** Returns whether the calling thread is the one that pins on this stripe. */
  boolean owns(int stripe) {
    return counters.owns(stripe);
  }

  /**
   * Gives the medium to the pins that are left, or back. No call is inside any more.
   *
   * @param freed is run when no call can begin to use the medium any more
   */
  void close(Runnable freed) {
    // Not before here may a pin that ends free the medium: a call that began before the gate was
    // shut might still be reading it. The pin counts itself out and then looks at the field; this
    // clears the field and then looks at the count. The fence makes one of them see the other.
    MediumHandle handle = handle();
    medium = null; // Pins and views hold it from now on.
    GlobalFence.pass();
    freed.run();
    long pinned = bytes.pinnedBytes();
    if (pinned == 0) {
      handle.release();
    } else {
      handle.reportPinned(pinned);
    }
  }

  private void releaseIfUnpinned(MediumHandle handle) {
    VarHandle.fullFence(); // Of the last two to count themselves out, one at least sees both.
    if (bytes.pinnedBytes() == 0) {
      handle.release();
    }
  }
}
