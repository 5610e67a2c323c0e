// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.eviction.Sweep;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** FIFO, with a hook in each of its calls but {@code close}. */
final class HookedEviction implements EvictionPolicy {
  /** The calls that have a hook. */
  enum Call {
    ON_ADMIT,
    ON_HIT,
    ON_REMOVE,
    VICTIM,
    SWEEP
  }

  /** What runs inside a call. */
  @FunctionalInterface
  interface Hook {
    void inside(Call call);
  }

  final AtomicInteger closed = new AtomicInteger();
  volatile Hook hook = call -> {};
  volatile Runnable inMetadataBytes = () -> {};
  volatile Runnable atClose = () -> {};

  /** The last one. */
  volatile @Nullable Sweep sweep;

  private final EvictionPolicy fifo;

  HookedEviction(EvictionContext context) {
    this.fifo = new FifoEviction(context);
  }

  @Override
  public void onAdmit(int slot) {
    fifo.onAdmit(slot);
    hook.inside(Call.ON_ADMIT);
  }

  @Override
  public void onHit(int slot) {
    fifo.onHit(slot);
    hook.inside(Call.ON_HIT);
  }

  @Override
  public void onRemove(int slot) {
    fifo.onRemove(slot);
    hook.inside(Call.ON_REMOVE);
  }

  @Override
  public int victim() {
    hook.inside(Call.VICTIM);
    return fifo.victim();
  }

  @Override
  public void sweep(Sweep sweep) {
    this.sweep = sweep;
    hook.inside(Call.SWEEP);
    fifo.sweep(sweep);
  }

  @Override
  public long metadataBytes() {
    inMetadataBytes.run();
    return fifo.metadataBytes();
  }

  @Override
  public void close() {
    closed.incrementAndGet();
    atClose.run();
    fifo.close();
  }
}
