// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.ReadsAhead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Looks several blocks up with one wait for the medium: reads those that are there ahead, and has
 * {@link Reader} look each up as if it were alone. So a batch changes nothing but the time it
 * takes. More blocks than can be read together are read in turns.
 */
public final class Batches {
  private final BlockSpace blocks;
  private final MediumGuard guard;
  private final CallGate gate;
  private final Reader reader;
  private final PlannedReads planned;

  public Batches(BlockTables tables, MediumGuard guard, CallGate gate, Reader reader) {
    this.blocks = tables.blocks();
    this.guard = guard;
    this.gate = gate;
    this.reader = reader;
    this.planned = new PlannedReads(tables);
  }

  /** Returns what looks blocks up that are wanted alone. */
  public Reader reader() {
    return reader;
  }

  /** Does what {@link BlockCache#getAll} says. */
  public int getAll(int count, long[] fileIds, long[] offsets, ByteBuffer[] dsts, int[] lengths) {
    Throwable refusal = null;
    int begin = 0;
    while (begin < count) {
      // A block that is wanted alone is not read ahead of its lookup.
      ReadsAhead ahead = count - begin == 1 || guard.isOut() ? null : blocks.readAhead();
      int stripe = ahead == null ? CallGate.SHUT : gate.beginWithoutLocks();
      try {
        int end = count;
        if (ahead != null && stripe != CallGate.SHUT && !gate.isClosed()) {
          end = plan(begin, count, fileIds, offsets, dsts, ahead);
          ahead.read();
        }
        for (; begin < end; begin++) {
          lengths[begin] = BlockCache.MISS;
          try {
            lengths[begin] = reader.get(fileIds[begin], offsets[begin], dsts[begin], ahead);
          } catch (RuntimeException | InternalError e) {
            refusal = first(refusal, e);
          }
        }
      } finally {
        if (ahead != null) {
          ahead.end();
          gate.end(stripe);
        }
      }
    }
    rethrow(refusal);
    return found(count, lengths);
  }

  /** Plans reads of as many blocks as there is room for; returns the first that found none. */
  private int plan(
      int begin, int count, long[] fileIds, long[] offsets, ByteBuffer[] dsts, ReadsAhead ahead) {
    int end = begin;
    for (; end < count && !ahead.isFull(); end++) {
      long offset = offsets[end];
      ByteBuffer dst = dsts[end];
      if (offset >= 0 && dst != null && !dst.isReadOnly()) { // Its lookup refuses others.
        ahead.wantIn(dst);
        planned.read(fileIds[end], offset, BlockReads.WHOLE, ahead, CallGate.SHUT);
      }
    }
    return end;
  }

  private static Throwable first(@Nullable Throwable refusal, Throwable next) {
    if (refusal == null) {
      return next;
    }
    if (refusal != next) {
      refusal.addSuppressed(next);
    }
    return refusal;
  }

  private static void rethrow(@Nullable Throwable refusal) {
    if (refusal instanceof RuntimeException exception) {
      throw exception;
    }
    if (refusal instanceof Error error) {
      throw error;
    }
  }

  private static int found(int count, int[] lengths) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += lengths[i] == BlockCache.MISS ? 0 : 1;
    }
    return found;
  }
}
