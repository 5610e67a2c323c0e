// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call that changes what the tiers hold of one block: a load, an offer or an invalidation.
 *
 * <pre>
 *   load:                 LOADING ──publish()──▶ PUBLISHING ──end()──▶ DONE
 *                            └─────settle()────▶ STALE
 *   offer, invalidation:                         PUBLISHING ──end()──▶ DONE
 * </pre>
 *
 * <p><b>Invariants.</b> Bytes go into a tier only in PUBLISHING, by the thread whose operation it
 * is; that phase is short, no I/O on the store's files is done in it. When {@link #settle} has
 * returned true, the phase is STALE or DONE and this operation never again puts anything into a
 * tier.
 */
class BlockOperation {
  private enum Phase {
    LOADING,
    PUBLISHING,
    DONE,
    STALE
  }

  private final BlockKey key;
  private final AtomicReference<Phase> phase;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /**
   * The operation of the same thread within which this one began. See {@link OperationsInFlight}.
   */
  @Nullable BlockOperation outer;

  private BlockOperation(BlockKey key, Phase first) {
    this.key = key;
    this.phase = new AtomicReference<>(first);
  }

  /** Begins a load, which has yet to get its bytes. */
  BlockOperation(BlockKey key) {
    this(key, Phase.LOADING);
  }

  /** Returns the operation of an offer or an invalidation, which waits for no bytes. */
  static BlockOperation publishing(BlockKey key) {
    return new BlockOperation(key, Phase.PUBLISHING);
  }

  final BlockKey key() {
    return key;
  }

  /** Asks for leave to put the loaded bytes into the tiers. {@code false}: they are stale. */
  final boolean publish() {
    return phase.compareAndSet(Phase.LOADING, Phase.PUBLISHING);
  }

  /** Ends PUBLISHING. */
  final void end() {
    phase.set(Phase.DONE);
    over.complete(null);
  }

  final boolean isPublishing() {
    return phase.get() == Phase.PUBLISHING;
  }

  final boolean isStale() {
    return phase.get() == Phase.STALE;
  }

  /** Returns whether its bytes are yet to come. */
  final boolean isLoading() {
    Phase now = phase.get();
    return now == Phase.LOADING || now == Phase.STALE;
  }

  /**
   * Keeps this operation out of the tiers from now on; waits for the end of PUBLISHING, also when
   * interrupted, since an invalidation must be whole. False if it takes too long.
   */
  final boolean settle(Patience patience) {
    return phase.compareAndSet(Phase.LOADING, Phase.STALE)
        || isStale()
        || patience.awaitUninterruptibly(over);
  }

  /** Has something done at the end of PUBLISHING, by the thread that ends it; at once if it has. */
  final void whenOver(Runnable work) {
    CompletableFuture<Void> done = over.thenRun(work);
    assert !done.isCompletedExceptionally() : "the work catches what it throws";
  }
}
