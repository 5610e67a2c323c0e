// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.Rewrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the hot blocks of a compaction's outputs back, through the readers that the store opened
 * for them. HBase decides in which form a block is cached, so it is asked to cache the block, and
 * the cache passes what the reading thread offers to {@link #take}. For one thread.
 */
final class CarriedBlocks implements Rewrite.OutputReader {
  private static final Logger LOG = LoggerFactory.getLogger(CarriedBlocks.class);
  private static final long UNKNOWN_SIZE = -1;
  private static final ThreadLocal<@Nullable CarriedBlocks> READING = new ThreadLocal<>();

  private final StoreFileNames names;
  private final BlockPayload payload;
  private final Map<Long, HStoreFile> files = new HashMap<>();
  private long offset;
  private @Nullable ByteBuffer taken;

  CarriedBlocks(StoreFileNames names, BlockPayload payload) {
    this.names = names;
    this.payload = payload;
  }

  /** Returns what the calling thread reads; null if it reads for somebody else. */
  static @Nullable CarriedBlocks current() {
    return READING.get();
  }

  void add(HStoreFile file) {
    names.find(file.getPath().getName()).ifPresent(fileId -> files.put(fileId, file));
  }

  @Override
  public @Nullable ByteBuffer read(long fileId, long blockOffset, int lengthBytes) {
    HStoreFile file = files.get(fileId);
    if (file == null || !names.isCurrent(file.getPath().getName(), fileId)) {
      return null; // Compacted in its turn, or its region was closed.
    }
    StoreFileReader reader = file.getReader();
    if (reader == null) {
      return null; // Closed right now.
    }
    offset = blockOffset;
    taken = null;
    READING.set(this);
    try {
      HFileBlock block =
          reader
              .getHFileReader()
              .readBlock(blockOffset, UNKNOWN_SIZE, true, true, false, false, null, null);
      block.release();
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} can't be read any more: {}", file, e.toString());
      return null;
    } finally {
      READING.remove();
    }
    return taken != null && taken.remaining() == lengthBytes ? taken : null;
  }

  /** Takes a block over that HBase read and would have cached. */
  void take(BlockCacheKey key, Cacheable block) {
    if (key.getOffset() == offset) {
      taken = payload.encode(block);
    }
  }

  /** Returns the ids of files that were evicted while their blocks came in. */
  List<Long> gone() {
    return files.entrySet().stream()
        .filter(each -> !names.isCurrent(each.getValue().getPath().getName(), each.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
