// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.reading;

import io.nvcache.lucene.files.FileClass;
import io.nvcache.lucene.files.OpenedFile;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The place that one input has its current block in, as long as no other input takes it. For one
 * thread at a time.
 */
final class ClaimedPlace {
  private final CurrentBlocks places;
  private final OpenedFile opened;
  private final FileClass fileClass;
  private @Nullable CurrentBlock place;
  private long claim;

  /**
   * Begins without a place.
   *
   * @param fileClass counts the hits
   */
  ClaimedPlace(CurrentBlocks places, OpenedFile opened, FileClass fileClass) {
    this.places = places;
    this.opened = opened;
    this.fileClass = fileClass;
  }

  /**
   * Returns this input's place, entered: another one if the last was taken by another input; null
   * if others are in all that were tried.
   */
  @Nullable CurrentBlock enter() {
    CurrentBlock last = place;
    if (last != null && last.tryEnter(claim)) {
      return last;
    }
    CurrentBlock fresh = places.enterAny();
    if (fresh != null) {
      place = fresh;
      claim = fresh.claim();
    }
    return fresh;
  }

  /**
   * Copies a piece of a cached block to the position of {@code dst}, as much as it has room for.
   *
   * @param entered what {@link #enter} returned; left afterwards
   * @return whether the block was cached and can be pinned
   */
  boolean copy(CurrentBlock entered, long block, int from, ByteBuffer dst) {
    try {
      if (!entered.holds(opened, block)) {
        if (!entered.tryHold(opened, block)) {
          return false;
        }
        fileClass.hits.increment();
      }
      entered.copy(from, dst);
      return true;
    } catch (InternalError e) { // The medium is a mapped file that was cut short.
      entered.clear();
      return false;
    } finally {
      entered.leave();
      // Either this sees that the file is closed, or who closes it finds the place free.
      if (opened.isClosed()) {
        release();
      }
    }
  }

  /** Gives the block back, and the place. */
  void release() {
    CurrentBlock last = place;
    place = null;
    if (last != null && last.tryEnter(claim)) {
      try {
        last.clear();
      } finally {
        last.leave();
      }
    }
  }
}
