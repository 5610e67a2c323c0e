// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.IntStack;
import java.util.Arrays;

/**
 * A file whose blocks are never overwritten: each version of a page goes to a fresh place, and the
 * place of the old one can be used again only after a checkpoint no longer needs it.
 */
public final class BlockFile {
  static final int NOWHERE = -1;

  private int[] places;
  private int pages;
  private int length;
  private final IntStack reusable = new IntStack();
  private final IntStack freed = new IntStack();
  private final IntStack closing = new IntStack();

  /** A file of so many pages, one block each, in their order. */
  public BlockFile(int pages) {
    this.pages = pages;
    this.places = new int[Math.max(1, pages)];
    for (int page = 0; page < pages; page++) {
      places[page] = page;
    }
    this.length = pages;
  }

  int pages() {
    return pages;
  }

  /** Places ever used: the file's length, which never shrinks. */
  int highWaterMark() {
    return length;
  }

  /** Where a page lies, or {@link #NOWHERE} before it was first written. */
  int placeOf(int page) {
    return places[page];
  }

  /** Adds a page that lies nowhere yet. */
  int addPage() {
    if (pages == places.length) {
      places = Arrays.copyOf(places, 2 * pages);
    }
    places[pages] = NOWHERE;
    return pages++;
  }

  /** Moves a page to a fresh place, frees its old one, and returns it. */
  int move(int page) {
    int old = places[page];
    places[page] = reusable.isEmpty() ? length++ : reusable.pop();
    if (old != NOWHERE) {
      freed.push(old);
    }
    return old;
  }

  void beginCheckpoint() {
    freed.moveTo(closing);
  }

  void endCheckpoint() {
    closing.moveTo(reusable);
  }
}
