// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.bench.contender.BucketCacheContender;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** HBase's BucketCache in a file, with its map in another one. */
final class RestartedBucketCache implements RestartedCache {
  /** How often HBase writes the map by default, and some time to write it. */
  private static final long PERSISTED_AFTER_MILLIS = 5_000;

  private final BucketCacheContender cache;

  RestartedBucketCache(RestartRun run) {
    Path data = run.directory().resolve("data");
    Path map = run.directory().resolve("map");
    this.cache = new BucketCacheContender(run.blockBytes(), run.blocks(), data, map);
  }

  @Override
  public void put(int block, ByteBuffer bytes) {
    cache.put(block, bytes);
  }

  @Override
  public boolean get(int block, ByteBuffer dst) {
    return cache.get(block, dst.clear());
  }

  @Override
  public long blocks() {
    return cache.blocks();
  }

  @Override
  public boolean isRestored() {
    return cache.isValidated() || cache.blocks() == 0; // Without a map nothing is looked at.
  }

  @Override
  public void settle() {
    cache.settle();
    try {
      Thread.sleep(PERSISTED_AFTER_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int firstReadable() {
    return 0;
  }

  @Override
  public void close() {
    cache.close();
  }
}
