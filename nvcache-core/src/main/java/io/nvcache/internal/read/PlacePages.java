// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.internal.read.FileInPlace.Page;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the heap that the views of all files take: about sixteen bytes for each block that the
 * cache can hold. Past that, the page that was made first is forgotten; a cursor that needs it
 * makes it again.
 *
 * <p>A reader takes the lock only when it makes a page, and goes without the page if it would wait.
 */
final class PlacePages {
  private static final int LEAST_PLACES = 1 << 14;

  private final long mostPlaces;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Page> pages = new LinkedHashSet<>(); // Pages are compared by identity.
  private long places;

  PlacePages(long slots) {
    this.mostPlaces = Math.max(LEAST_PLACES, 2 * slots);
  }

  /** Makes a page of a file; null if another thread makes one, or there isn't any memory. */
  @Nullable Page make(FileInPlace file, int pageNumber, int number, int epoch, int count) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      Page page = new Page(file, pageNumber, number, epoch, count);
      Page before = file.pageAt(pageNumber);
      if (before != null) {
        forget(before);
      }
      pages.add(page);
      places += count;
      file.put(page);
      Iterator<Page> oldest = pages.iterator();
      while (places > mostPlaces && pages.size() > 1) {
        Page old = oldest.next();
        oldest.remove();
        places -= old.places.length;
        old.file.take(old);
      }
      return page;
    } catch (OutOfMemoryError noRoom) {
      return null; // The block is searched for each time.
    } finally {
      lock.unlock();
    }
  }

  private void forget(Page page) {
    if (pages.remove(page)) {
      places -= page.places.length;
    }
    page.file.take(page);
  }

  /** Forgets all pages of a file. */
  void remove(FileInPlace file) {
    lock.lock();
    try {
      for (int i = 0; i < file.pageCount(); i++) {
        Page page = file.pageAt(i);
        if (page != null) {
          forget(page);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many places there is room for in all pages. */
  long places() {
    lock.lock();
    try {
      return places;
    } finally {
      lock.unlock();
    }
  }
}
