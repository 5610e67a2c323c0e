// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCursor;
import io.nvcache.FileView;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a file by their number: the slot of the index that each was found in, and the
 * version of the slot's bucket.
 *
 * <p><b>Why a place that is noted can be believed.</b> As long as the version is unchanged, the
 * slot has the entry that it had. It was the entry of this file's block under the number that its
 * page is of; while there is an entry, its number has one owner, and the page counts only if the
 * file has that number now. A version could come again after 2^31 changes of a bucket; by that time
 * the {@linkplain io.nvcache.internal.index.BlockIndex#epoch epoch} is another one, and the page
 * does not count.
 *
 * <p>Pages are made as blocks are found, and never changed except for their places, which are
 * written without a lock: each is one word.
 */
final class FileInPlace implements FileView {
  /** Instead of a place. */
  static final long NONE = 0;

  private static final int PAGE_SHIFT = 9;
  private static final int PAGE_PLACES = 1 << PAGE_SHIFT;
  private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PAGES = MethodHandles.arrayElementVarHandle(Page[].class);

  final long fileId;
  final int blockBytes;
  private final InPlaceReads reads;
  private final Reader reader;
  private final PlacePages pool;
  private final long blocks;
  private final Page[] pages;

  /** What readers of the memory keep from being freed. */
  @SuppressWarnings("UnusedVariable")
  private final Object memory;

  /** The file's number, and above it how many numbers had been dropped by that time. */
  private volatile long known;

  /** Some neighbouring blocks: their places count for one number and one epoch. */
  static final class Page {
    final FileInPlace file;
    final int pageNumber;
    final int number;
    final int epoch;
    final long[] places;

    Page(FileInPlace file, int pageNumber, int number, int epoch, int count) {
      this.file = file;
      this.pageNumber = pageNumber;
      this.number = number;
      this.epoch = epoch;
      this.places = new long[count];
    }
  }

  FileInPlace(
      InPlaceReads reads,
      Reader reader,
      PlacePages pool,
      Object memory,
      long fileId,
      int blockBytes,
      long lengthBytes) {
    this.reads = reads;
    this.reader = reader;
    this.pool = pool;
    this.memory = memory;
    this.fileId = fileId;
    this.blockBytes = blockBytes;
    // Of a file that takes several numbers only the beginning is noted.
    long noted = Math.min(lengthBytes, 1L << BucketLayout.OFFSET_BITS);
    this.blocks = (noted + blockBytes - 1) / blockBytes;
    this.pages = new Page[(int) Math.min(1 << 22, (blocks + PAGE_PLACES - 1) >> PAGE_SHIFT)];
  }

  @Override
  public BlockCursor cursor() {
    return reads.cursor(this);
  }

  int move(InPlaceCursor cursor) {
    return reader.move(reads, cursor);
  }

  /** Has a cursor go back to its block, which is not counted; false if it does not find it. */
  boolean findAgain(InPlaceCursor cursor) {
    return reader.findAgain(reads, cursor);
  }

  /** Returns the number of the file, or {@link FileTable#NONE}. */
  int number(FileTable files) {
    long seen = known;
    int drops = files.drops();
    if ((int) (seen >>> Integer.SIZE) == drops && (int) seen != FileTable.NONE) {
      return (int) seen;
    }
    int number = files.find(fileId, 0);
    known = (long) drops << Integer.SIZE | number;
    return number;
  }

  /** Returns where a block was found last, or {@link #NONE}. */
  long place(long offset, int number, int epoch) {
    long block = block(offset);
    Page page = page(block);
    return page == null || page.number != number || page.epoch != epoch
        ? NONE
        : (long) PLACES.getOpaque(page.places, (int) block & (PAGE_PLACES - 1));
  }

  /** Notes where a block was found; not if there isn't any memory for it. */
  void note(long offset, int number, int epoch, long place) {
    long block = block(offset);
    if (block < 0 || block >>> PAGE_SHIFT >= pages.length) {
      return;
    }
    Page page = page(block);
    if (page == null || page.number != number || page.epoch != epoch) {
      int pageNumber = (int) (block >>> PAGE_SHIFT);
      int count = (int) Math.min(PAGE_PLACES, blocks - ((long) pageNumber << PAGE_SHIFT));
      page = pool.make(this, pageNumber, number, epoch, count);
      if (page == null) {
        return;
      }
    }
    PLACES.setOpaque(page.places, (int) block & (PAGE_PLACES - 1), place);
  }

  /** Returns the number of the block that begins there, or -1. */
  private long block(long offset) {
    long block = offset / blockBytes;
    return block < blocks && block * blockBytes == offset ? block : -1;
  }

  private @Nullable Page page(long block) {
    return block < 0 || block >>> PAGE_SHIFT >= pages.length
        ? null
        : (Page) PAGES.getAcquire(pages, (int) (block >>> PAGE_SHIFT));
  }

  // For the pool, one thread at a time.

  void put(Page page) {
    PAGES.setRelease(pages, page.pageNumber, page);
  }

  void take(Page page) {
    PAGES.compareAndSet(pages, page.pageNumber, page, null);
  }

  @Nullable Page pageAt(int pageNumber) {
    return (Page) PAGES.getAcquire(pages, pageNumber);
  }

  int pageCount() {
    return pages.length;
  }

  @Override
  public void close() {
    pool.remove(this);
  }
}
