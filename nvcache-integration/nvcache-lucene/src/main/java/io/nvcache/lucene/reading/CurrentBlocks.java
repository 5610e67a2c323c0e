// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.reading;

import io.nvcache.BlockCache;
import io.nvcache.lucene.files.OpenedFile;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places of all inputs of a cache. Lucene never closes the clones that it reads by, so a pin
 * for each would stay until the garbage collector came. Here a clone that is forgotten loses its
 * place, and with it its pin, to the next that needs one; a clone that is still read takes another
 * place then, and pins its block again.
 */
final class CurrentBlocks {
  /** How many places that others are in to pass over before giving up. */
  private static final int TRIES = 16;

  private final CurrentBlock[] places;
  private final AtomicInteger next = new AtomicInteger();

  CurrentBlocks(BlockCache blocks, int count) {
    places = new CurrentBlock[count];
    for (int i = 0; i < count; i++) {
      places[i] = new CurrentBlock(blocks);
    }
  }

  /** A place that was entered; null if others are in all that were tried. */
  @Nullable CurrentBlock enterAny() {
    for (int i = 0; i < TRIES; i++) {
      CurrentBlock place = places[Integer.remainderUnsigned(next.getAndIncrement(), places.length)];
      if (place.tryEnter()) {
        return place;
      }
    }
    return null;
  }

  /** Gives back what the inputs of a file hold, except for those that are in their places now. */
  void release(OpenedFile file) {
    for (CurrentBlock place : places) {
      if (place.tryEnter()) {
        try {
          if (place.isOf(file)) {
            place.clear();
          }
        } finally {
          place.leave();
        }
      }
    }
  }

  /** Gives back what all inputs hold, except for those that are in their places now. */
  void releaseAll() {
    for (CurrentBlock place : places) {
      if (place.tryEnter()) {
        try {
          place.clear();
        } finally {
          place.leave();
        }
      }
    }
  }
}
