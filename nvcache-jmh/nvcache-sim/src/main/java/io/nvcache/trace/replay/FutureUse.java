// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceOp;
import java.util.Arrays;

/** For each record, the one that next asks for the same block while the copy is still good. */
final class FutureUse {
  static final int NONE = -1;

  private final int[] next;

  FutureUse(Trace trace) {
    this.next = new int[trace.records()];
    int[] upcoming = new int[trace.blocks()];
    Arrays.fill(upcoming, NONE);
    for (int i = trace.records() - 1; i >= 0; i--) {
      int block = trace.block(i);
      next[i] = trace.op(i) == TraceOp.FREE ? NONE : upcoming[block];
      upcoming[block] = trace.op(i).isLookup() ? i : NONE;
    }
  }

  /** The next lookup of the record's block, or {@link #NONE} if it is written or freed before. */
  int nextLookup(int index) {
    return next[index];
  }
}
