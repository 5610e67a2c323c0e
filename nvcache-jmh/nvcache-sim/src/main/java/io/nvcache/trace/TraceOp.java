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
  /** A rewrite of files continues to a block of an input, which it reads past the cache. */
  REWRITE_READ(3),
  /** A rewrite has completed a block of an output, which no reader could see before. */
  REWRITE_WROTE(4),
  /** A rewrite is committed: its inputs were freed, and its outputs are read from now on. */
  REWRITE_END(5),
  /** A lookup by a range scan. Trace files don't tell them from reads; generators may. */
  SCAN(6);

  private static final TraceOp[] BY_CODE = {
    READ, WRITE, FREE, REWRITE_READ, REWRITE_WROTE, REWRITE_END, SCAN
  };

  private final int code;

  TraceOp(int code) {
    this.code = code;
  }

  /** Whether the cache is asked for the block. */
  public boolean isLookup() {
    return this == READ || this == SCAN;
  }

  /** Whether it is of a rewrite, and asks the cache for nothing. */
  public boolean isOfRewrite() {
    return this == REWRITE_READ || this == REWRITE_WROTE || this == REWRITE_END;
  }

  /** Whether its record has the length of a block. */
  boolean hasSize() {
    return isLookup() || this == WRITE || this == REWRITE_WROTE;
  }

  /** The number that represents it in a trace; up to 5 also in files. */
  int code() {
    return code;
  }

  static TraceOp of(int code) {
    return BY_CODE[code];
  }
}
