// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.DataSet;
import io.nvcache.LiveSettings;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Counts the snapshots that are taken of another cache. */
final class CountingCache implements BlockCache {
  private final BlockCache cache;
  int snapshots;

  CountingCache(BlockCache cache) {
    this.cache = cache;
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    return cache.get(fileId, offset, dst);
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    return cache.pin(fileId, offset);
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    return cache.offer(fileId, offset, block, source);
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
  public DataSet dataSet() {
    return cache.dataSet();
  }

  @Override
  public LiveSettings settings() {
    return cache.settings();
  }

  @Override
  public CacheStats stats() {
    snapshots++;
    return cache.stats();
  }

  @Override
  public void close() {
    cache.close();
  }
}
