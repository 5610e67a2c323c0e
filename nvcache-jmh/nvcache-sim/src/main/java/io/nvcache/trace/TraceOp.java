// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

/** What a record of a trace does to the cache. */
public enum TraceOp {
  /** The layer above asks for a block: one lookup. */
  READ(0),
  /** A block is written to storage: a cached copy is outdated, and the new one is offered. */
  WRITE(1),
  /** A block is gone. */
  FREE(2),
  /** A lookup by a range scan. Trace files don't tell them from reads; generators may. */
  SCAN(3);

  private static final TraceOp[] BY_CODE = {READ, WRITE, FREE, SCAN};

  private final int code;

  TraceOp(int code) {
    this.code = code;
  }

  /** Whether the cache is asked for the block. */
  public boolean isLookup() {
    return this == READ || this == SCAN;
  }

  /** The number that stands for it in a trace; up to 2 also in files. */
  int code() {
    return code;
  }

  static TraceOp of(int code) {
    return BY_CODE[code];
  }
}
