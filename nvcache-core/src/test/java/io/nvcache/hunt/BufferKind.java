// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.util.Set;

/** Buffers that callers hand in. */
enum BufferKind {
  HEAP(true, Steps.NOTHING),
  /** Of an array that continues at both ends. */
  HEAP_SLICE(true, Steps.NOTHING),
  DIRECT(true, Steps.NOTHING),
  /** Of memory that other buffers of the hunt lie in, too. */
  DIRECT_SLICE(true, Steps.NOTHING),
  LITTLE_ENDIAN(true, Steps.NOTHING),
  /** Of a file as long as it. */
  MAPPED(true, Steps.NOTHING),
  MAPPED_PRIVATE(true, Steps.NOTHING),
  /** Of an open shared arena. */
  ARENA(true, Steps.NOTHING),
  READ_ONLY_HEAP(false, Steps.NOTHING),
  READ_ONLY_DIRECT(false, Steps.NOTHING),
  MAPPED_READ_ONLY(false, Steps.NOTHING),
  /** The view of a pin of the cache it is handed to, or of another one. */
  PINNED(false, Steps.NOTHING),
  /** The view of a pin that is closed, of a cache that may be closed, too. */
  STALE(false, Set.of("InternalError")),
  /** A view of a tiered cache's DRAM. */
  TIERED(false, Steps.NOTHING),
  /** Of a file that was cut short. */
  CUT(true, Set.of("InternalError")),
  ARENA_CLOSED(true, Steps.STATE),
  /** Of an arena that another thread owns. */
  ARENA_CONFINED(true, Set.of("WrongThreadException")),
  NULL(false, Steps.NULL);

  private final boolean writable;
  private final Set<String> faults;

  BufferKind(boolean writable, Set<String> faults) {
    this.writable = writable;
    this.faults = faults;
  }

  boolean isWritable() {
    return writable;
  }

  /** What a call that reads it may throw. */
  Set<String> readFaults() {
    return faults;
  }

  /** What a call that writes to it may throw. */
  Set<String> writeFaults() {
    return writable || this == NULL ? faults : Set.of("ReadOnlyBufferException");
  }

  /** Whether its memory can be filled and looked at by the hunt itself. */
  boolean isSound() {
    return ordinal() < READ_ONLY_HEAP.ordinal();
  }
}
