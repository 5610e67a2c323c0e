// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.PinnedBlock;
import org.jspecify.annotations.Nullable;

/** Finds blocks and pins them, where they lie or as copies. */
public abstract class PinReads {
  PinReads() {}

  /** What to do where a pin on memory is refused. */
  public enum PastBound {
    REFUSE,
    COPY
  }

  /** A block that is wanted under a pin, and its checksum once a read has found it. */
  abstract static class Wanted {
    long fileId;
    long offset;
    int sum;
  }

  /** A call that wants a pin. It stays in registers where the read is inlined. */
  static final class Request extends Wanted {
    final PastBound pastBound;
    @Nullable PinnedBlock pin;

    Request(long fileId, long offset, PastBound pastBound) {
      this.fileId = fileId;
      this.offset = offset;
      this.pastBound = pastBound;
    }
  }

  /** Returns a pin on a block; null if it missed; the reason is counted. */
  abstract @Nullable PinnedBlock pin(Request request, int stripe);

  /** Has a pin that is on no block take the one it names; returns its length or a miss. */
  abstract int move(MovingPin pin, int stripe);
}
