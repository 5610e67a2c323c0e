// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.read.Visits;
import io.nvcache.internal.space.ScratchBuffers;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.RawMemory;
import io.nvcache.shadow.KeySample;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes offers in, has the {@link Inserter} carry them out, and counts each once, by what became of
 * it.
 *
 * <p>A block that is laid out on demand is asked for outside the {@link CallGate} and without a
 * permit to write. It is the caller's code that runs then: it may take longer than a medium may
 * hang, use this cache, or close it. So such an offer passes the gate twice, and makes sure the
 * second time of all that it knew. Nothing is allocated to carry it from one to the other. A block
 * in memory that may vanish is copied at the same place, whether it was laid out or not.
 */
public final class Offers {
  private final CallGate gate;
  private final MediumGuard guard;
  private final StripedCounters counters;
  private final Visits visits;
  private final KeySample sample;
  private final Inserter inserter;
  private final Maintenance maintenance;
  private final ScratchBuffers scratch;

  public Offers(
      CallGate gate,
      MediumGuard guard,
      StripedCounters counters,
      Visits visits,
      Inserter inserter,
      KeySample sample,
      Maintenance maintenance,
      ScratchBuffers scratch) {
    this.gate = gate;
    this.guard = guard;
    this.counters = counters;
    this.visits = visits;
    this.sample = sample;
    this.inserter = inserter;
    this.maintenance = maintenance;
    this.scratch = scratch;
  }

  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    int lengthBytes = block.remaining();
    checkLength(fileId, offset, lengthBytes);
    double heat = heat(fileId, offset, lengthBytes, source);
    if (RawMemory.mayVanish(block)) {
      CallerBuffers.checkAlive(block);
      OfferResult refusal = refusal(fileId, offset, lengthBytes, source, heat);
      return refusal == null
          ? insertCopy(fileId, offset, lengthBytes, block, source, heat)
          : refusal;
    }
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return count(OfferResult.CLOSED, source, counters.stripe());
    }
    try {
      OfferResult result = outage();
      if (result == null) {
        result = inserter.offer(fileId, offset, lengthBytes, block, source, heat, stripe);
      }
      return note(result, fileId, offset, lengthBytes, source, heat, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Returns what admission is told of a block beside its source: whether it was offered before. */
  private double heat(long fileId, long offset, int lengthBytes, Source source) {
    return source == Source.READ && visits.isOfferedAgain(fileId, offset, lengthBytes)
        ? Inserter.OFFERED_AGAIN
        : Inserter.NO_HEAT;
  }

  /** Asks for the block once it is known to be wanted. */
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> supplier, Source source) {
    checkLength(fileId, offset, lengthBytes);
    double heat = heat(fileId, offset, lengthBytes, source);
    return Objects.requireNonNull(
        offer(fileId, offset, lengthBytes, supplier, source, heat),
        "the supplier gave no block; give the bytes, or throw");
  }

  /**
   * Offers an output block of a rewrite in the same way. The rewrite {@linkplain #countCarried
   * counts} the last outcome, for it may offer a block several times.
   *
   * @param heat the lookups that the block is expected to have had lately; more than 0
   * @return what became of the offer; null if the supplier gave no block
   */
  public @Nullable OfferResult offerCarried(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<@Nullable ByteBuffer> supplier,
      double heat) {
    return offer(fileId, offset, lengthBytes, supplier, Source.COMPACTION, heat);
  }

  /** Counts what became of output blocks of a rewrite. */
  public void countCarried(Counter outcome, int blocks) {
    counters.add(counters.stripe(), outcome, blocks);
  }

  private @Nullable OfferResult offer(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<? extends @Nullable ByteBuffer> supplier,
      Source source,
      double heat) {
    checkLength(fileId, offset, lengthBytes);
    OfferResult refusal = refusal(fileId, offset, lengthBytes, source, heat);
    if (refusal != null) {
      return refusal;
    }
    ByteBuffer block = layOut(supplier, lengthBytes, source, heat);
    if (block == null) {
      return null;
    }
    return RawMemory.mayVanish(block)
        ? insertCopy(fileId, offset, lengthBytes, block, source, heat)
        : insert(fileId, offset, lengthBytes, block, source, heat);
  }

  /** Copies the block outside the gate too: its pages may come from a disk, or from none. */
  private OfferResult insertCopy(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Source source, double heat) {
    AlignedBuffer lent = scratch.take(lengthBytes);
    if (lent == null) { // The heap does as well.
      return insertCopy(
          fileId, offset, lengthBytes, block, ByteBuffer.allocate(lengthBytes), source, heat);
    }
    try {
      return insertCopy(fileId, offset, lengthBytes, block, lent.first(lengthBytes), source, heat);
    } finally {
      scratch.giveBack(lent);
    }
  }

  private OfferResult insertCopy(
      long fileId,
      long offset,
      int lengthBytes,
      ByteBuffer block,
      ByteBuffer copy,
      Source source,
      double heat) {
    boolean copied = false;
    try {
      int position = block.position();
      Inserter.checkLength(block.limit() - position, lengthBytes);
      CallerBuffers.take(block, position, lengthBytes, copy);
      copied = true;
    } finally {
      if (!copied) {
        takeBack(lengthBytes, source, heat);
      }
    }
    return insert(fileId, offset, lengthBytes, copy, source, heat);
  }

  /** Why a block need not be laid out, which is counted; null if it is wanted. */
  private @Nullable OfferResult refusal(
      long fileId, long offset, int lengthBytes, Source source, double heat) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return count(OfferResult.CLOSED, source, counters.stripe());
    }
    try {
      OfferResult result = outage();
      if (result == null) {
        result = inserter.refusal(fileId, offset, lengthBytes, source, heat);
      }
      return result == null
          ? null
          : note(result, fileId, offset, lengthBytes, source, heat, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Returns the block; null, or an exception, takes the decision to admit it back. */
  private @Nullable ByteBuffer layOut(
      Supplier<? extends @Nullable ByteBuffer> supplier,
      int lengthBytes,
      Source source,
      double heat) {
    ByteBuffer block = null;
    try {
      block = supplier.get();
      return block;
    } finally {
      if (block == null) {
        takeBack(lengthBytes, source, heat);
      }
    }
  }

  private void takeBack(int lengthBytes, Source source, double heat) {
    int stripe = gate.begin();
    try {
      if (!gate.isClosed()) { // Or the policy is gone, and needs no correction.
        inserter.takeBack(lengthBytes, source, heat);
      }
    } finally {
      gate.end(stripe);
    }
  }

  private OfferResult insert(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Source source, double heat) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return count(OfferResult.CLOSED, source, counters.stripe());
    }
    try {
      OfferResult result = outage();
      if (result == null) {
        result = inserter.insert(fileId, offset, lengthBytes, block, source, heat, stripe);
      } else if (result != OfferResult.CLOSED) {
        inserter.takeBack(lengthBytes, source, heat);
      }
      return note(result, fileId, offset, lengthBytes, source, heat, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Why no block is taken now, whichever it is; null if there is no reason. */
  private @Nullable OfferResult outage() {
    if (gate.isClosed()) {
      return OfferResult.CLOSED;
    }
    if (guard.isOut()) {
      return OfferResult.OUT_OF_SERVICE;
    }
    return guard.unwritable().isEmpty() ? null : OfferResult.MEDIUM_FAILED;
  }

  /** Counts an offer that was decided, inside the gate. */
  private OfferResult note(
      OfferResult result,
      long fileId,
      long offset,
      int lengthBytes,
      Source source,
      double heat,
      int stripe) {
    count(result, source, stripe);
    boolean isNew = result != OfferResult.TOO_LARGE && heat != Inserter.OFFERED_AGAIN;
    if (isNew && sample.has(fileId, offset)) { // Of others no policy is asked, or none anew.
      sample.offer(fileId, offset, lengthBytes, source, stripe);
    }
    if (result == OfferResult.NO_SPACE || inserter.wantsRoom()) {
      maintenance.wake();
    }
    return result;
  }

  private OfferResult count(OfferResult result, Source source, int stripe) {
    counters.add(stripe, Counter.of(source), 1);
    counters.add(stripe, Counter.of(result), 1);
    return result;
  }

  /** Refuses a length that no block can have. */
  public static void checkLength(long fileId, long offset, int lengthBytes) {
    if (lengthBytes <= 0) {
      throw new IllegalArgumentException(
          "the block at offset "
              + offset
              + " of file "
              + fileId
              + " is empty; offer at least a byte; did you forget flip()?");
    }
  }
}
