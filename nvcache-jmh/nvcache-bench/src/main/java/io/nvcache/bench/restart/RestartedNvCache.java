// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.BlockCache;
import io.nvcache.FileIdentity;
import io.nvcache.OfferResult;
import io.nvcache.Restart;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.bench.contender.BlockNumbering;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** NVCache in regions, on flash or on a medium that keeps the lists of most blocks alone. */
final class RestartedNvCache implements RestartedCache {
  /** In addition to a block: its header, its line in the list, and what rounding takes. */
  private static final int EXTRA_BYTES = 32 + 32 + 64;

  private static final long LEAST_CAPACITY_BYTES = 16 << 20;

  private final BlockCache cache;
  private final int blockBytes;
  private final int firstReadable;

  RestartedNvCache(RestartRun run) {
    this.blockBytes = run.blockBytes();
    long needed = run.blocks() * (long) (blockBytes + EXTRA_BYTES);
    // Some regions stay free.
    long capacityBytes = Math.max(LEAST_CAPACITY_BYTES, needed + needed / 8) & -4096L;
    Medium medium;
    try {
      if (run.isListed()) {
        ListingMedium listing =
            new ListingMedium(
                run.directory().resolve("lists"), capacityBytes, blockBytes, run.blocks());
        this.firstReadable = listing.firstKept();
        medium = listing;
      } else {
        this.firstReadable = 0;
        medium = FlashMedium.create(run.directory().resolve("flash"), capacityBytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.cache =
        BlockCache.builder()
            .medium(medium)
            .expectedBlockBytes(blockBytes)
            .maxBlockBytes(Math.max(blockBytes, 4096))
            .admission(AdmissionPresets.admitAll())
            .restart(Restart.WARM)
            .build();
    for (long block = 0; block < run.blocks(); block += BlockNumbering.BLOCKS_PER_FILE) {
      long file = BlockNumbering.fileId(block);
      cache.identify(file, FileIdentity.of("bench", Long.toString(file)));
    }
  }

  @Override
  public void put(int block, ByteBuffer bytes) {
    long file = BlockNumbering.fileId(block);
    long offset = BlockNumbering.offset(block, blockBytes);
    OfferResult result = cache.offer(file, offset, bytes, Source.READ);
    while (result == OfferResult.MEDIUM_BUSY) { // The drive is slower than this loop.
      Thread.onSpinWait();
      result = cache.offer(file, offset, bytes, Source.READ);
    }
    if (result != OfferResult.ADMITTED) {
      throw new IllegalStateException("block " + block + " was answered with " + result);
    }
  }

  @Override
  public boolean get(int block, ByteBuffer dst) {
    long file = BlockNumbering.fileId(block);
    return cache.get(file, BlockNumbering.offset(block, blockBytes), dst.clear())
        != BlockCache.MISS;
  }

  @Override
  public long blocks() {
    return cache.stats().blocks();
  }

  @Override
  public boolean isRestored() {
    return cache.control().restore().state() != State.RESTORING;
  }

  @Override
  public void settle() {}

  @Override
  public int firstReadable() {
    return firstReadable;
  }

  @Override
  public void close() {
    cache.close();
  }
}
