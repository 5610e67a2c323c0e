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
import io.nvcache.memory.LendingPool;
import io.nvcache.memory.RawMemory;
import io.nvcache.stats.Counter;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes offers in, and has the {@link Inserter} carry them out.
 *
 * <p>A block that is laid out on demand is asked for outside the {@link CallGate} and without a
 * permit to write. It is the caller's code that runs then: it may take longer than a medium may
 * hang, use this cache, or close it. So such an offer passes the gate twice, and makes sure the
 * second time of all that it knew. A block in memory that may vanish is copied at the same place,
 * whether it was laid out or not.
 *
 * <p>Nothing is allocated to carry an offer along: an {@link Offer} is lent for the time of a call,
 * another one for a call from inside the caller's code.
 */
public final class Offers {
  private final CallGate gate;
  private final MediumGuard guard;
  private final Visits visits;
  private final Inserter inserter;
  private final OfferCounts counts;
  private final Maintenance maintenance;
  private final ScratchBuffers scratch;
  private final LendingPool<Offer> lent = new LendingPool<>(Offer::new);

  public Offers(
      CallGate gate,
      MediumGuard guard,
      Visits visits,
      Inserter inserter,
      OfferCounts counts,
      Maintenance maintenance,
      ScratchBuffers scratch) {
    this.gate = gate;
    this.guard = guard;
    this.visits = visits;
    this.inserter = inserter;
    this.counts = counts;
    this.maintenance = maintenance;
    this.scratch = scratch;
  }

  /** Offers a block that is laid out. */
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    int lengthBytes = block.remaining();
    checkLength(fileId, offset, lengthBytes);
    Offer offer = lent.take();
    try {
      begin(offer, fileId, offset, lengthBytes, source);
      if (RawMemory.mayVanish(block)) {
        CallerBuffers.checkAlive(block);
        OfferResult refusal = decide(offer);
        return refusal == null ? insertCopy(offer, block) : refusal;
      }
      return offer(offer, block);
    } finally {
      lent.giveBack(offer);
    }
  }

  private OfferResult offer(Offer offer, ByteBuffer block) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return counts.closed(offer);
    }
    try {
      offer.enter(stripe);
      OfferResult result = outage();
      if (result == null) {
        result = inserter.decide(offer);
      }
      if (result == null) {
        result = inserter.insert(offer, block);
      }
      return decided(result, offer);
    } finally {
      gate.end(stripe);
    }
  }

  private void begin(Offer offer, long fileId, long offset, int lengthBytes, Source source) {
    if (source == Source.READ || source == Source.SCAN) {
      counts.loaded(fileId, offset);
    }
    if (source == Source.READ && visits.isOfferedAgain(fileId, offset, lengthBytes)) {
      offer.again(fileId, offset, lengthBytes);
    } else {
      offer.ofSource(fileId, offset, lengthBytes, source);
    }
  }

  /** Asks for the block once it is known to be wanted. */
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> supplier, Source source) {
    checkLength(fileId, offset, lengthBytes);
    Offer offer = lent.take();
    try {
      begin(offer, fileId, offset, lengthBytes, source);
      return required(offerOnDemand(offer, supplier));
    } finally {
      lent.giveBack(offer);
    }
  }

  /** The same for a block that matters more, as long as such blocks may have a share. */
  public OfferResult offerImportant(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> supplier, Source source) {
    checkLength(fileId, offset, lengthBytes);
    if (!inserter.takesImportant(lengthBytes)) {
      return offer(fileId, offset, lengthBytes, supplier, source);
    }
    Offer offer = lent.take();
    try {
      return required(
          offerOnDemand(offer.ofImportant(fileId, offset, lengthBytes, source), supplier));
    } finally {
      lent.giveBack(offer);
    }
  }

  private static OfferResult required(@Nullable OfferResult result) {
    return Objects.requireNonNull(result, "the supplier gave no block; give the bytes, or throw");
  }

  /**
   * Offers an output block of a rewrite in the same way. The rewrite {@linkplain #countCarried
   * counts} the last outcome, because it may offer a block several times.
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
    checkLength(fileId, offset, lengthBytes);
    Offer offer = lent.take();
    try {
      return offerOnDemand(offer.carried(fileId, offset, lengthBytes, heat), supplier);
    } finally {
      lent.giveBack(offer);
    }
  }

  /** Counts what became of output blocks of a rewrite. */
  public void countCarried(Counter outcome, int blocks) {
    counts.carried(outcome, blocks);
  }

  private @Nullable OfferResult offerOnDemand(
      Offer offer, Supplier<? extends @Nullable ByteBuffer> supplier) {
    OfferResult refusal = decide(offer);
    if (refusal != null) {
      return refusal;
    }
    ByteBuffer block = layOut(offer, supplier);
    if (block == null) {
      return null;
    }
    return RawMemory.mayVanish(block) ? insertCopy(offer, block) : insert(offer, block);
  }

  /** Returns why a block need not be laid out, which is counted; null if it is wanted. */
  private @Nullable OfferResult decide(Offer offer) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return counts.closed(offer);
    }
    try {
      offer.enter(stripe);
      OfferResult result = outage();
      if (result == null) {
        result = inserter.decideUnlessBusy(offer);
      }
      return result == null ? null : decided(result, offer);
    } finally {
      gate.end(stripe);
    }
  }

  /** Returns the block; null, or an exception, takes the decision to admit it back. */
  private @Nullable ByteBuffer layOut(
      Offer offer, Supplier<? extends @Nullable ByteBuffer> supplier) {
    ByteBuffer block = null;
    try {
      block = supplier.get();
      return block;
    } finally {
      if (block == null) {
        refund(offer);
      }
    }
  }

  /**
   * Copies the block outside the gate as well: its pages may come from a disk, or from none. An
   * exception takes the decision to admit the block back.
   */
  private OfferResult insertCopy(Offer offer, ByteBuffer block) {
    int lengthBytes = offer.lengthBytes();
    AlignedBuffer buffer = null;
    boolean copied = false;
    try {
      buffer = scratch.take(lengthBytes);
      ByteBuffer copy = // The heap does as well.
          buffer == null ? ByteBuffer.allocate(lengthBytes) : buffer.first(lengthBytes);
      int position = block.position();
      Inserter.checkLength(block.limit() - position, lengthBytes);
      CallerBuffers.take(block, position, lengthBytes, copy);
      copied = true;
      return insert(offer, copy);
    } finally {
      if (buffer != null) {
        scratch.giveBack(buffer);
      }
      if (!copied) {
        refund(offer);
      }
    }
  }

  private void refund(Offer offer) {
    int stripe = gate.begin();
    try {
      if (!gate.isClosed()) { // Or the policy is gone, and needs no correction.
        inserter.refund(offer);
      }
    } finally {
      gate.end(stripe);
    }
  }

  private OfferResult insert(Offer offer, ByteBuffer block) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return counts.closed(offer);
    }
    try {
      offer.enter(stripe);
      OfferResult result = outage();
      if (result == null) {
        result = inserter.insert(offer, block);
      } else if (result != OfferResult.CLOSED) {
        inserter.refund(offer);
      }
      return decided(result, offer);
    } finally {
      gate.end(stripe);
    }
  }

  /** Returns why no block is taken now, whichever it is; null if there is no reason. */
  private @Nullable OfferResult outage() {
    if (gate.isClosed()) {
      return OfferResult.CLOSED;
    }
    if (guard.isOut()) {
      return OfferResult.OUT_OF_SERVICE;
    }
    return guard.unwritable().isEmpty() ? null : OfferResult.MEDIUM_FAILED;
  }

  /** Counts an offer that was decided, inside the gate, and has room made if it found none. */
  private OfferResult decided(OfferResult result, Offer offer) {
    counts.decided(result, offer);
    if (result == OfferResult.NO_SPACE || inserter.wantsRoom()) {
      maintenance.wake();
    }
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
