// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;

/** Which file a block of a trace is in: of one, unless files are rewritten in the trace. */
final class TraceFileNumbers {
  private static final long FIRST_FILE = 1;

  private final Trace trace;
  private final boolean several;

  TraceFileNumbers(Trace trace) {
    this.trace = trace;
    this.several = trace.hasRewrites();
  }

  long fileOf(int block) {
    return several ? FIRST_FILE + trace.file(block) : FIRST_FILE;
  }

  long offsetOf(int block) {
    return several ? trace.offsetInFile(block) : trace.offset(block);
  }
}
