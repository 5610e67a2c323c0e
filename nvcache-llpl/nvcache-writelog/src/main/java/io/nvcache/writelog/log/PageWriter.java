// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes pending pages to their file: by their places, each byte once, and what lies together at
 * once. For one thread at a time.
 */
final class PageWriter {
  private static final int MAX_PLACES = 256;

  private final PendingPages pages;
  private final Runnable progress;
  private final int places;

  /** Made by the first use. */
  private @Nullable ByteBuffer staging;

  private final BitSet present = new BitSet(PendingPages.PAGE_BYTES);

  /** The bytes that are staged and not written: they follow each other in the file, too. */
  private int begin;

  private int end;

  /** Where {@link #begin} is in the file. */
  private long offset;

  /**
   * Makes a writer.
   *
   * @param progress called before each write
   */
  PageWriter(PendingPages pages, Runnable progress) {
    this.pages = pages;
    this.progress = progress;
    this.places = Math.min(pages.capacity(), MAX_PLACES);
  }

  /**
   * Writes a file's pages.
   *
   * @param keys of {@link PendingPages#between}
   * @return whether there were any
   */
  boolean write(DiskFile file, int slot, long[] keys, long[] ends) throws IOException {
    begin = 0;
    end = 0;
    int place = 0;
    boolean any = false;
    for (int i = first(keys, slot); i < keys.length && PendingPages.slotOf(keys[i]) == slot; i++) {
      any = true;
      if (place == places) {
        flush(file);
        place = 0;
      }
      int at = place * PendingPages.PAGE_BYTES;
      pages.compose(keys[i], ends, staging(), at, present);
      for (int from = present.nextSetBit(0); from >= 0; ) {
        int to = present.nextClearBit(from);
        add(file, PendingPages.offsetOf(keys[i]) + from, at + from, at + to);
        from = present.nextSetBit(to);
      }
      place++;
    }
    flush(file);
    return any;
  }

  private ByteBuffer staging() {
    ByteBuffer made = staging;
    if (made == null) {
      made = ByteBuffer.allocateDirect(places * PendingPages.PAGE_BYTES);
      staging = made;
    }
    return made;
  }

  /** Returns where a file's keys begin. */
  private static int first(long[] keys, int slot) {
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (PendingPages.slotOf(keys[middle]) < slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void add(DiskFile file, long position, int from, int to) throws IOException {
    if (from != end || position != offset + end - begin) {
      flush(file);
      begin = from;
      offset = position;
    }
    end = to;
  }

  private void flush(DiskFile file) throws IOException {
    if (begin < end) {
      progress.run();
      file.write(staging().slice(begin, end - begin), offset);
    }
    begin = end;
  }
}
