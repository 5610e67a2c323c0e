// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import org.jspecify.annotations.Nullable;

/**
 * Copies a block as several streams side by side: a piece of each part of it in turn, instead of
 * one part after the other.
 *
 * <p>A block that is not in the processor's caches is copied as fast as lines come from memory, and
 * their number under way at once is what bounds that. A single stream keeps too few of them under
 * way: hardware prefetchers follow a stream some twenty lines ahead, begin again with each, and
 * stop at the end of a page. Streams in different pages are each followed. On other processors it
 * costs more than it gains; {@link CopyOrder} decides.
 *
 * <p>Parts begin at cache lines of the block; what is left of it behind the last part is copied at
 * the end.
 */
final class StreamedCopy {
  private static final int LINE_BYTES = 64;

  /** The smallest page there is. */
  private static final int PAGE_BYTES = 4 << 10;

  private static final int READ_STREAMS = 2;
  private static final int READ_PIECE_BYTES = 1 << 10;

  /**
   * Shorter parts save next to nothing out of memory that is far larger than caches, while each
   * piece of a block that is in them costs a call.
   */
  private static final int LEAST_READ_PART_BYTES = 16 << 10;

  /** Twice as many as for reading: a line that is written is fetched and written back. */
  private static final int WRITE_STREAMS = 4;

  private static final int WRITE_PIECE_BYTES = 256;

  /** Shorter parts than a page would share their prefetchers. */
  private static final int LEAST_WRITE_PART_BYTES = 4 << 10;

  /** Shorter blocks are read in one pass in either order. */
  static final int LEAST_READ_BYTES = 2 * LEAST_READ_PART_BYTES;

  /** Shorter blocks are written in one pass in either order. */
  static final int LEAST_WRITTEN_BYTES = 2 * LEAST_WRITE_PART_BYTES;

  private StreamedCopy() {}

  /**
   * Copies what lies in the medium, at {@code from}, to an array or address. Pieces are copied
   * here, and not by {@link #copyOut}: it lies a call deeper, where JIT compilers may leave checks
   * of {@code java.lang.foreign} as calls.
   */
  static void read(long from, byte @Nullable [] array, long to, int length) {
    int streams = Math.min(READ_STREAMS, length / LEAST_READ_PART_BYTES);
    int part = part(length, streams);
    touchPages(from, streams * part);
    for (int at = 0; at < part; at += READ_PIECE_BYTES) {
      int piece = Math.min(READ_PIECE_BYTES, part - at);
      for (int offset = at; offset < streams * part; offset += part) {
        if (array == null) {
          RawMemory.MEMORY.copy(from + offset, to + offset, piece);
        } else {
          RawMemory.MEMORY.copyOut(from + offset, array, (int) to + offset, piece);
        }
      }
    }
    int copied = streams * part;
    if (copied < length) {
      copyOut(from + copied, array, to + copied, length - copied);
    }
  }

  /** Copies from an array or address to where it shall lie in the medium, as {@link #read} does. */
  static void write(byte @Nullable [] array, long from, long to, int length) {
    int streams = Math.min(WRITE_STREAMS, length / LEAST_WRITE_PART_BYTES);
    int part = part(length, streams);
    touchPages(to, streams * part);
    for (int at = 0; at < part; at += WRITE_PIECE_BYTES) {
      int piece = Math.min(WRITE_PIECE_BYTES, part - at);
      for (int offset = at; offset < streams * part; offset += part) {
        if (array == null) {
          RawMemory.MEMORY.copy(from + offset, to + offset, piece);
        } else {
          RawMemory.MEMORY.copyIn(array, (int) from + offset, to + offset, piece);
        }
      }
    }
    int copied = streams * part;
    if (copied < length) {
      copyIn(array, from + copied, to + copied, length - copied);
    }
  }

  /**
   * Reads a byte of each page of the medium. The processor then looks all their addresses up at
   * once, and does not wait at the start of each page again. Volatile, so that the compiler does
   * not drop reads whose bytes are not used.
   */
  private static void touchPages(long address, int length) {
    for (int at = 0; at < length; at += PAGE_BYTES) {
      RawMemory.MEMORY.getByteVolatile(address + at);
    }
  }

  private static int part(int length, int streams) {
    return streams <= 1 ? 0 : length / streams & -LINE_BYTES;
  }

  /** Copies in one pass, to an index of an array, or to an address where that is null. */
  static void copyOut(long from, byte @Nullable [] array, long to, int length) {
    if (array == null) {
      RawMemory.MEMORY.copy(from, to, length);
    } else {
      RawMemory.MEMORY.copyOut(from, array, (int) to, length);
    }
  }

  /** Copies in one pass, from an index of an array, or from an address where that is null. */
  static void copyIn(byte @Nullable [] array, long from, long to, int length) {
    if (array == null) {
      RawMemory.MEMORY.copy(from, to, length);
    } else {
      RawMemory.MEMORY.copyIn(array, (int) from, to, length);
    }
  }
}
