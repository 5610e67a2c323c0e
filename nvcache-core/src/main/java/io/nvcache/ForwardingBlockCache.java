// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.CacheControl;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes every call on to another cache: the base of those that see or change some of them. As safe
 * for threads as that cache.
 */
public abstract class ForwardingBlockCache implements BlockCache {
  private final BlockCache cache;

  /**
   * Stands before a cache, and closes it when closed.
   *
   * @param cache that calls are passed on to
   */
  protected ForwardingBlockCache(BlockCache cache) {
    this.cache = cache;
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    return cache.get(fileId, offset, dst);
  }

  @Override
  public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
    return cache.getRange(fileId, offset, from, dst);
  }

  @Override
  public int getAll(int count, long[] fileIds, long[] offsets, ByteBuffer[] dsts, int[] lengths) {
    return cache.getAll(count, fileIds, offsets, dsts, lengths);
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    return cache.pin(fileId, offset);
  }

  @Override
  public @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    return cache.pinOrCopy(fileId, offset);
  }

  @Override
  public ReusablePin reusablePin() {
    return cache.reusablePin();
  }

  @Override
  public @Nullable FileView view(long fileId, int blockBytes, long lengthBytes) {
    return cache.view(fileId, blockBytes, lengthBytes);
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    return cache.offer(fileId, offset, block, source);
  }

  @Override
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    return cache.offer(fileId, offset, lengthBytes, block, source);
  }

  @Override
  public OfferResult offer(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<ByteBuffer> block,
      Source source,
      BlockRank rank) {
    return cache.offer(fileId, offset, lengthBytes, block, source, rank);
  }

  @Override
  public Rewrite rewrite() {
    return cache.rewrite();
  }

  @Override
  public void identify(long fileId, FileIdentity identity) {
    cache.identify(fileId, identity);
  }

  @Override
  public boolean invalidate(long fileId, long offset) {
    return cache.invalidate(fileId, offset);
  }

  @Override
  public void invalidateFile(long fileId) {
    cache.invalidateFile(fileId);
  }

  @Override
  public CacheStats stats() {
    return cache.stats();
  }

  @Override
  public CacheControl control() {
    return cache.control();
  }

  @Override
  public void close() {
    cache.close();
  }
}
