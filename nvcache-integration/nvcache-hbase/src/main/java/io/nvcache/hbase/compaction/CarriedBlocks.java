// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.Rewrite;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.files.SizesOnDisk;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.hbase.files.StoreSwap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of a compaction. Their hottest blocks are held in memory while they are written, and
 * the others that are hot are read back through the readers that the store opened for them. HBase
 * decides in which form a block is cached, so it is asked to cache the block, and the cache passes
 * what the reading thread offers to {@link Reader#take}. The compaction's thread notes the outputs,
 * and others read after it.
 */
public final class CarriedBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(CarriedBlocks.class);
  private static final ThreadLocal<@Nullable Reader> READING = new ThreadLocal<>();

  private final StoreFileNames names;
  private final BlockPayload payload;
  private final Map<Long, HStoreFile> files = new HashMap<>();
  private final SizesOnDisk sizes = new SizesOnDisk();
  private final HeldBlocks held;
  private final AtomicInteger carriers = new AtomicInteger();

  /**
   * Begins without outputs.
   *
   * @param memory of the blocks that are held
   */
  CarriedBlocks(StoreFileNames names, BlockPayload payload, HeldBlocks.Memory memory) {
    this.names = names;
    this.payload = payload;
    this.held = new HeldBlocks(memory);
  }

  /** Returns what the calling thread reads; null if it reads for somebody else. */
  public static @Nullable Reader current() {
    return READING.get();
  }

  /** Returns the id of an output that is written, which it keeps until the blocks are let go. */
  long idOf(String hfileName) {
    return names.hold(hfileName, this);
  }

  /** Notes a file that is a store file now. */
  void add(HStoreFile file) {
    names.find(file.getPath().getName()).ifPresent(fileId -> files.put(fileId, file));
  }

  /** Notes a block that was written: a header and all that is behind it, on disk. */
  void wrote(long fileId, long offset, int onDiskBytes) {
    sizes.add(fileId, offset, onDiskBytes);
  }

  /**
   * Holds a block that was written, if it is one of the hottest.
   *
   * @param heat of the block
   * @param lengthBytes of what would be cached
   */
  void hold(long fileId, long offset, double heat, int lengthBytes, Cacheable block) {
    held.offer(fileId, offset, heat, lengthBytes, () -> payload.encode(block));
  }

  /**
   * Returns a block that is held in memory, as it is to be cached; null if it is not held, or its
   * file is gone.
   *
   * @param lengthBytes of what would be cached
   */
  @Nullable ByteBuffer held(long fileId, long offset, int lengthBytes) {
    ByteBuffer written = fileOf(fileId) == null ? null : held.get(fileId, offset);
    if (written == null || written.remaining() != lengthBytes) {
      return null;
    }
    long next = offset + sizes.of(fileId, offset);
    BlockPayload.setNextOnDiskBytes(written, sizes.of(fileId, next));
    return written;
  }

  /** Returns an output; null if it isn't a store file, or was compacted in its turn, or evicted. */
  private @Nullable HStoreFile fileOf(long fileId) {
    HStoreFile file = files.get(fileId);
    return file == null || !names.isCurrent(file.getPath().getName(), fileId) ? null : file;
  }

  /** Ends the ids of the outputs, and returns them: their blocks are to be invalidated. */
  Set<Long> retire() {
    files.forEach((fileId, file) -> names.retire(file.getPath().getName(), fileId));
    return Set.copyOf(files.keySet());
  }

  /** Lets the blocks go that are held, and the names of the outputs. */
  void drop() {
    held.drop();
    names.release(this);
  }

  /** Notes that a thread begins to carry; {@link #end} must follow. */
  void begin() {
    carriers.incrementAndGet();
  }

  /** Lets the blocks go that are held, once no thread carries any more. */
  void end() {
    if (carriers.decrementAndGet() == 0) {
      drop();
    }
  }

  /** Returns the names of the files that were noted. */
  Set<String> fileNames() {
    return StoreSwap.namesOf(files.values());
  }

  /** Returns the ids of files that were evicted while their blocks came in. */
  List<Long> gone() {
    return files.keySet().stream().filter(fileId -> fileOf(fileId) == null).toList();
  }

  /** Returns a reader for the use of one thread. */
  Reader reader() {
    return new Reader();
  }

  /** Reads blocks back, one at a time. For one thread. */
  public final class Reader implements Rewrite.OutputReader {
    private long offset;
    private @Nullable ByteBuffer taken;
    private boolean hasReadHeld;

    @Override
    public @Nullable ByteBuffer read(long fileId, long blockOffset, int lengthBytes) {
      hasReadHeld = false;
      HStoreFile file = fileOf(fileId);
      if (file == null) {
        return null;
      }
      ByteBuffer written = held(fileId, blockOffset, lengthBytes);
      if (written != null) {
        hasReadHeld = true;
        return written;
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
                .readBlock(
                    blockOffset,
                    sizes.of(fileId, blockOffset),
                    true,
                    true,
                    false,
                    false,
                    null,
                    null);
        block.release();
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} can't be read any more: {}", file, e.toString());
        return null;
      } finally {
        READING.remove();
      }
      return taken != null && taken.remaining() == lengthBytes ? taken : null;
    }

    /** Returns whether the last block was held in memory. */
    boolean hasReadHeld() {
      return hasReadHeld;
    }

    /** Takes a block over that HBase read and would have cached. */
    public void take(BlockCacheKey key, Cacheable block) {
      if (key.getOffset() == offset) {
        taken = payload.encode(block);
      }
    }
  }
}
