// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.internal.space.ScratchBuffers;
import io.nvcache.medium.Medium;
import io.nvcache.stats.StripedCounters;
import java.util.function.LongSupplier;

/**
 * The base that the parts of an engine share.
 *
 * @param hangNanos how long a call may take that does not hang
 * @param bufferBytes that each pool of buffers may take
 * @param hashSeed of the index
 */
record EngineBase(
    Medium medium,
    EngineSettings settings,
    StripedCounters counters,
    WriteGovernor governor,
    CallGate gate,
    MediumGuard guard,
    ScratchBuffers scratch,
    EngineThreads threads,
    LongSupplier nanoTime,
    long hangNanos,
    long bufferBytes,
    long hashSeed) {
  /** Returns a table without files. */
  FileTable newFiles() {
    return new FileTable(BucketLayout.MAX_FILE_NUMBER, hashSeed);
  }
}
