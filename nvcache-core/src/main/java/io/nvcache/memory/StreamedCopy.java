// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import org.jspecify.annotations.Nullable;

/**
 * Copies a block as several streams side by side: a piece of each part of it in turn, instead of
 * one part after the other.
 *
 * <p>A block that is not in the processor's caches is copied as fast as lines come from memory, and
 * their number under way at once is what bounds that. A single stream keeps too few of them under
 * way: hardware prefetchers follow a stream some twenty lines ahead, begin anew with each, and stop
 * at the end of a page. Streams in different pages are each followed. {@code BlockCopyBenchmark} of
 * nvcache-bench compares both ways on the machine at hand.
 *
 * <p>Parts begin at cache lines of the block; what is left of it behind the last part is copied at
 * the end.
 */
final class StreamedCopy {
  /** Shorter parts than a page would share their prefetchers. */
  private static final int LEAST_PART_BYTES = 4 << 10;

  private static final int LINE_BYTES = 64;

  private static final int READ_STREAMS = 2;
  private static final int READ_PIECE_BYTES = 1 << 10;

  /**
   * Of shorter blocks pieces are longer: each costs a call, and a block that is in the processor's
   * caches after all has nothing to make up for it.
   */
  private static final int SHORT_BYTES = 32 << 10;

  private static final int PIECE_OF_SHORT_BYTES = 4 << 10;

  /** Twice as many as for reading: a line that is written is fetched and written back. */
  private static final int WRITE_STREAMS = 4;

  private static final int WRITE_PIECE_BYTES = 256;

  private StreamedCopy() {}

  /** Copies what lies in the medium, at {@code from}, to the object or address {@code to}. */
  static void read(long from, @Nullable Object to, long toOffset, int length) {
    int streams = streams(length, READ_STREAMS);
    int piece = length < SHORT_BYTES ? PIECE_OF_SHORT_BYTES : READ_PIECE_BYTES;
    copy(null, from, to, toOffset, length, streams, piece);
  }

  /** Copies from an object or address to where it shall lie in the medium. */
  static void write(@Nullable Object from, long fromOffset, long to, int length) {
    int streams = streams(length, WRITE_STREAMS);
    copy(from, fromOffset, null, to, length, streams, WRITE_PIECE_BYTES);
  }

  private static int streams(int length, int most) {
    return Math.min(most, length / LEAST_PART_BYTES);
  }

  private static void copy(
      @Nullable Object from,
      long fromOffset,
      @Nullable Object to,
      long toOffset,
      int length,
      int streams,
      int pieceBytes) {
    int part = streams <= 1 ? 0 : length / streams & -LINE_BYTES;
    if (part <= pieceBytes) {
      part = 0; // Of one piece each, streams would be copied one after the other.
    }
    for (int at = 0; at < part; at += pieceBytes) {
      int piece = Math.min(pieceBytes, part - at);
      for (int stream = 0; stream < streams; stream++) {
        int offset = stream * part + at;
        RawMemory.copy(from, fromOffset + offset, to, toOffset + offset, piece);
      }
    }
    int copied = streams * part;
    if (copied < length) {
      RawMemory.copy(from, fromOffset + copied, to, toOffset + copied, length - copied);
    }
  }
}
