// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.pages;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.format.LogRegion;
import io.nvcache.writelog.pages.PendingPages.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes pending pages to their file: by their places, each byte once, and what lies together at
 * once. A page of one record is written from where it is in the log, and one of several records is
 * put together before. For one thread at a time.
 */
public final class PageWriter {
  private static final int MAX_PLACES = 256;

  /** Hears of a write before it begins. */
  @FunctionalInterface
  public interface Progress {
    void beforeWrite(int pagesOfAWrite) throws IOException;
  }

  private final PendingPages pages;
  private final Progress progress;
  private final int places;

  /** For pages of several records; made by the first use. */
  private @Nullable ByteBuffer staging;

  /** Of the staging buffer, in pages. */
  private int place;

  private final BitSet present = new BitSet(PageKeys.PAGE_BYTES);

  /** Where the bytes are that were added and not written; null if they are staged. */
  private @Nullable LogRegion lane;

  /** Those bytes, which follow each other there and in the file. */
  private int begin;

  private int end;

  /** Where {@link #begin} is in the file. */
  private long offset;

  /**
   * Makes a writer.
   *
   * @param progress called before each write, with how many pages it has
   */
  public PageWriter(PendingPages pages, Progress progress) {
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
  public boolean write(DiskFile file, int slot, long[] keys, long[] ends) throws IOException {
    begin = 0;
    end = 0;
    place = 0;
    boolean any = false;
    for (int i = first(keys, slot); i < keys.length && PageKeys.slotOf(keys[i]) == slot; i++) {
      any = true;
      List<Part> parts = pages.parts(keys[i], ends);
      if (parts.size() == 1) {
        Part all = parts.get(0);
        add(file, all.lane(), all.offset(), all.at(), all.at() + all.length());
      } else {
        putTogether(file, PageKeys.offsetOf(keys[i]), parts);
      }
    }
    flush(file);
    return any;
  }

  private void putTogether(DiskFile file, long page, List<Part> parts) throws IOException {
    if (place == places) {
      flush(file);
      place = 0;
    }
    int at = place * PageKeys.PAGE_BYTES;
    present.clear();
    for (Part part : parts) {
      int from = (int) (part.offset() - page);
      part.lane().get(part.at(), staging(), at + from, part.length());
      present.set(from, from + part.length());
    }
    for (int from = present.nextSetBit(0); from >= 0; ) {
      int to = present.nextClearBit(from);
      add(file, null, page + from, at + from, at + to);
      from = present.nextSetBit(to);
    }
    place++;
  }

  private ByteBuffer staging() {
    ByteBuffer made = staging;
    if (made == null) {
      // None of the JDK's direct memory: short of that, it would collect the whole heap.
      made = AlignedBuffer.allocate(places * PageKeys.PAGE_BYTES, Long.BYTES).whole();
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
      if (PageKeys.slotOf(keys[middle]) < slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void add(DiskFile file, @Nullable LogRegion from, long position, int first, int last)
      throws IOException {
    if (from != lane || first != end || position != offset + end - begin) {
      flush(file);
      lane = from;
      begin = first;
      offset = position;
    }
    end = last;
  }

  private void flush(DiskFile file) throws IOException {
    if (begin < end) {
      int length = end - begin;
      progress.beforeWrite(PageKeys.pages(offset, length));
      LogRegion of = lane;
      file.write(of == null ? staging().slice(begin, length) : of.view(begin, length), offset);
    }
    begin = end;
  }
}
