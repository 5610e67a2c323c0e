// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.policy.ImportantBlocks;
import io.nvcache.internal.read.Visits;
import io.nvcache.internal.space.ScratchBuffers;
import io.nvcache.memory.AlignedBuffer;
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
 * second time of all that it knew. Nothing is allocated to carry it from one to the other. A block
 * in memory that may vanish is copied at the same place, whether it was laid out or not.
 */
public final class Offers {
  private final CallGate gate;
  private final MediumGuard guard;
  private final Visits visits;
  private final Inserter inserter;
  private final OfferCounts counts;
  private final Maintenance maintenance;
  private final ScratchBuffers scratch;
  private final ImportantBlocks important;

  public Offers(
      CallGate gate,
      MediumGuard guard,
      Visits visits,
      Inserter inserter,
      OfferCounts counts,
      Maintenance maintenance,
      ScratchBuffers scratch,
      ImportantBlocks important) {
    this.gate = gate;
    this.guard = guard;
    this.visits = visits;
    this.inserter = inserter;
    this.counts = counts;
    this.maintenance = maintenance;
    this.scratch = scratch;
    this.important = important;
  }

  /** Offers a block that is laid out. */
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    int lengthBytes = block.remaining();
    checkLength(fileId, offset, lengthBytes);
    Origin origin = origin(fileId, offset, lengthBytes, source);
    if (RawMemory.mayVanish(block)) {
      CallerBuffers.checkAlive(block);
      OfferResult refusal = decide(fileId, offset, lengthBytes, origin);
      return refusal == null ? insertCopy(fileId, offset, lengthBytes, block, origin) : refusal;
    }
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return counts.closed(origin);
    }
    try {
      OfferResult result = outage();
      if (result == null) {
        result = inserter.decide(fileId, offset, lengthBytes, origin);
      }
      if (result == null) {
        result = inserter.insert(fileId, offset, lengthBytes, block, origin, stripe);
      }
      return decided(result, fileId, offset, lengthBytes, origin, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  private Origin origin(long fileId, long offset, int lengthBytes, Source source) {
    if (source == Source.READ || source == Source.SCAN) {
      counts.loaded(fileId, offset);
    }
    return source == Source.READ && visits.isOfferedAgain(fileId, offset, lengthBytes)
        ? Origin.READ_AGAIN
        : Origin.of(source);
  }

  /** Asks for the block once it is known to be wanted. */
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> supplier, Source source) {
    checkLength(fileId, offset, lengthBytes);
    return offer(
        fileId, offset, lengthBytes, supplier, origin(fileId, offset, lengthBytes, source));
  }

  /** The same for a block that matters more, as long as such blocks may have a share. */
  public OfferResult offerImportant(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> supplier, Source source) {
    checkLength(fileId, offset, lengthBytes);
    return important.accepts(lengthBytes)
        ? offer(fileId, offset, lengthBytes, supplier, Origin.important(source))
        : offer(fileId, offset, lengthBytes, supplier, source);
  }

  private OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> supplier, Origin origin) {
    return Objects.requireNonNull(
        offerOnDemand(fileId, offset, lengthBytes, supplier, origin),
        "the supplier gave no block; give the bytes, or throw");
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
    return offerOnDemand(fileId, offset, lengthBytes, supplier, Origin.carried(heat));
  }

  /** Counts what became of output blocks of a rewrite. */
  public void countCarried(Counter outcome, int blocks) {
    counts.carried(outcome, blocks);
  }

  private @Nullable OfferResult offerOnDemand(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<? extends @Nullable ByteBuffer> supplier,
      Origin origin) {
    OfferResult refusal = decide(fileId, offset, lengthBytes, origin);
    if (refusal != null) {
      return refusal;
    }
    ByteBuffer block = layOut(supplier, lengthBytes, origin);
    if (block == null) {
      return null;
    }
    return RawMemory.mayVanish(block)
        ? insertCopy(fileId, offset, lengthBytes, block, origin)
        : insert(fileId, offset, lengthBytes, block, origin);
  }

  /** Returns why a block need not be laid out, which is counted; null if it is wanted. */
  private @Nullable OfferResult decide(long fileId, long offset, int lengthBytes, Origin origin) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return counts.closed(origin);
    }
    try {
      OfferResult result = outage();
      if (result == null) {
        result = inserter.decideUnlessBusy(fileId, offset, lengthBytes, origin);
      }
      return result == null ? null : decided(result, fileId, offset, lengthBytes, origin, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Returns the block; null, or an exception, takes the decision to admit it back. */
  private @Nullable ByteBuffer layOut(
      Supplier<? extends @Nullable ByteBuffer> supplier, int lengthBytes, Origin origin) {
    ByteBuffer block = null;
    try {
      block = supplier.get();
      return block;
    } finally {
      if (block == null) {
        refund(lengthBytes, origin);
      }
    }
  }

  /** Copies the block outside the gate as well: its pages may come from a disk, or from none. */
  private OfferResult insertCopy(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Origin origin) {
    AlignedBuffer lent = scratch.take(lengthBytes);
    if (lent == null) { // The heap does as well.
      ByteBuffer copy = ByteBuffer.allocate(lengthBytes);
      copy(block, copy, origin);
      return insert(fileId, offset, lengthBytes, copy, origin);
    }
    try {
      ByteBuffer copy = lent.first(lengthBytes);
      copy(block, copy, origin);
      return insert(fileId, offset, lengthBytes, copy, origin);
    } finally {
      scratch.giveBack(lent);
    }
  }

  /** Fills a copy; an exception takes the decision to admit the block back. */
  private void copy(ByteBuffer block, ByteBuffer copy, Origin origin) {
    int lengthBytes = copy.remaining();
    boolean copied = false;
    try {
      int position = block.position();
      Inserter.checkLength(block.limit() - position, lengthBytes);
      CallerBuffers.take(block, position, lengthBytes, copy);
      copied = true;
    } finally {
      if (!copied) {
        refund(lengthBytes, origin);
      }
    }
  }

  private void refund(int lengthBytes, Origin origin) {
    int stripe = gate.begin();
    try {
      if (!gate.isClosed()) { // Or the policy is gone, and needs no correction.
        inserter.refund(lengthBytes, origin);
      }
    } finally {
      gate.end(stripe);
    }
  }

  private OfferResult insert(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Origin origin) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return counts.closed(origin);
    }
    try {
      OfferResult result = outage();
      if (result == null) {
        result = inserter.insert(fileId, offset, lengthBytes, block, origin, stripe);
      } else if (result != OfferResult.CLOSED) {
        inserter.refund(lengthBytes, origin);
      }
      return decided(result, fileId, offset, lengthBytes, origin, stripe);
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
  private OfferResult decided(
      OfferResult result, long fileId, long offset, int lengthBytes, Origin origin, int stripe) {
    counts.decided(result, fileId, offset, lengthBytes, origin, stripe);
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
