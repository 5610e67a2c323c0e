// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import io.nvcache.medium.Medium;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cache that is hunted, and the naive one next to it, which has every block that this one may
 * still have. This one may have lost any of them.
 */
final class Prey {
  private final ByteBuffer room = ByteBuffer.allocate(2 * Contents.MAX_LENGTH);

  final String name;
  final BlockCache cache;

  /** Its medium, if the hunt made it. */
  final @Nullable Medium medium;

  final HuntClock clock;

  /** Whether it has its own thread. */
  final boolean background;

  private final BlockCache model = new ReferenceBlockCache();

  /** Whether the medium does what it promises, so that nothing may be held against it. */
  private boolean sound;

  /** Whether its policies do what they promise, and its medium did when it was built. */
  private final boolean ordinary;

  /** Whether the medium's file was cut short: pins throw then. */
  private boolean cut;

  private boolean closed;

  Prey(
      String name,
      BlockCache cache,
      @Nullable Medium medium,
      HuntClock clock,
      boolean background,
      boolean sound,
      boolean ordinary) {
    this.name = name;
    this.cache = cache;
    this.medium = medium;
    this.clock = clock;
    this.background = background;
    this.sound = sound;
    this.ordinary = ordinary;
  }

  /** The bytes that a hit must give; null if there must be none. */
  byte @Nullable [] wanted(long fileId, long offset) {
    if (offset < 0) {
      return null;
    }
    int length = model.get(fileId, offset, room.clear());
    return length == BlockCache.MISS ? null : Arrays.copyOf(room.array(), length);
  }

  /** The block was admitted with these bytes. */
  void admitted(long fileId, long offset, byte[] bytes) {
    forgotten(fileId, offset);
    OfferResult unused = model.offer(fileId, offset, ByteBuffer.wrap(bytes), Source.READ);
  }

  /** The block was admitted, and nobody can know its bytes: it has those that it has now. */
  void admittedUnknown(long fileId, long offset) {
    int length = cache.get(fileId, offset, room.clear());
    if (length == BlockCache.MISS) { // Evicted already, or the medium failed.
      boolean unused = cache.invalidate(fileId, offset);
      forgotten(fileId, offset);
    } else {
      admitted(fileId, offset, Arrays.copyOf(room.array(), length));
    }
  }

  void forgotten(long fileId, long offset) {
    boolean unused = offset >= 0 && model.invalidate(fileId, offset);
  }

  void fileForgotten(long fileId) {
    model.invalidateFile(fileId);
  }

  /** From now on it must not have any block. */
  void markClosed() {
    closed = true;
    model.close();
  }

  boolean isClosed() {
    return closed;
  }

  void markCut() {
    cut = true;
    sound = false;
  }

  boolean isCut() {
    return cut;
  }

  boolean isSound() {
    return sound;
  }

  /** Whether its books must balance. */
  boolean isOrdinary() {
    return ordinary && sound;
  }

  /** What starting its policies a second time may throw. */
  Set<String> mayThrowFromFactories() {
    return ordinary ? Steps.NOTHING : Steps.PLANTED;
  }

  @Override
  public String toString() {
    return name;
  }
}
