// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Runs a hook around the calls of another cache, for tests that stop a call half-way. */
public final class HookedBlockCache extends ForwardingBlockCache {
  public volatile Runnable afterLookup = () -> {};
  public volatile Runnable beforeOffer = () -> {};
  public volatile Runnable beforeInvalidation = () -> {};

  public HookedBlockCache(BlockCache cache) {
    super(cache);
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    int length = super.get(fileId, offset, dst);
    afterLookup.run();
    return length;
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    PinnedBlock pin = super.pin(fileId, offset);
    afterLookup.run();
    return pin;
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    beforeOffer.run();
    return super.offer(fileId, offset, block, source);
  }

  @Override
  public boolean invalidate(long fileId, long offset) {
    beforeInvalidation.run();
    return super.invalidate(fileId, offset);
  }

  @Override
  public void invalidateFile(long fileId) {
    beforeInvalidation.run();
    super.invalidateFile(fileId);
  }
}
