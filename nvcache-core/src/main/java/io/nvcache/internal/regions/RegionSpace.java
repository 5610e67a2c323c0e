// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static io.nvcache.internal.regions.RegionLayout.BLOCK_HEADER_BYTES;

import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.ReadsAhead;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.medium.ReadBatch;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferPool;
import io.nvcache.memory.LendingPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of blocks on a medium that is written in regions: into the buffer, from there to the
 * medium, and back. Each block has a header next to it, which proves at every read of the medium
 * that it is the one that was wanted, in the region's present generation, and unchanged.
 */
public final class RegionSpace implements BlockSpace, AutoCloseable {
  private final Medium medium;
  private final AppendLog log;
  private final RegionTable table;
  private final LocationCodec locations;
  private final AppendBuffer buffer;
  private final BlockIndex index;
  private final BlockCodec codec;
  private final MediumGuard guard;
  private final int alignmentBytes;
  private final BufferPool<BlockRead> reads;
  private final ReadsUnderWay underWay = new ReadsUnderWay();

  /** For batches of lookups; empty if the medium makes one read after another. */
  private final LendingPool<RegionReadsAhead> aheads =
      new LendingPool<>(() -> new RegionReadsAhead(this));

  /**
   * Reads and writes blocks.
   *
   * @param codec seals the blocks, or does not
   * @param readBytes that the buffers of all reads under way may take
   */
  public RegionSpace(
      Medium medium,
      AppendLog log,
      BlockIndex index,
      RegionCodec codec,
      MediumGuard guard,
      long readBytes) {
    this.medium = medium;
    this.log = log;
    this.table = log.table();
    this.locations = log.locations();
    this.buffer = log.buffer();
    this.index = index;
    this.codec = codec.ofBlocks(log);
    this.guard = guard;
    this.alignmentBytes = medium.alignmentBytes();
    this.reads =
        new BufferPool<>(
            locations.maxBlockBytes(),
            BLOCK_HEADER_BYTES + 2 * alignmentBytes, // As much is read around a block.
            alignmentBytes,
            readBytes,
            BlockRead::new,
            BlockRead::block);
    if (medium.readsAtOnce() > 1) {
      RegionReadsAhead.fill(aheads, readBytes);
    }
  }

  private int roundUp(int bytes) {
    return (bytes + alignmentBytes - 1) & -alignmentBytes;
  }

  /** Returns the log that the blocks are in. */
  public AppendLog log() {
    return log;
  }

  /** Puts a block, with its header, where it was allocated. It is not committed yet. */
  public void put(long location, long hash, ByteBuffer block, int position, int lengthBytes) {
    codec.put(location, hash, block, position, lengthBytes);
  }

  @Override
  public int copy(
      int slot, long location, int lengthBytes, int from, ByteBuffer dst, int position, int bytes) {
    try {
      long hash = index.hashIn(slot);
      return codec.copyBuffered(location, hash, lengthBytes, from, dst, position, bytes)
              || read(location, hash, lengthBytes, from, dst, position, bytes)
          ? bytes
          : CORRUPT;
    } catch (NoDirectMemoryException noBuffer) {
      return NO_MEMORY;
    } catch (DriveException ofOneDrive) {
      return DRIVE_FAILED;
    } catch (IOException | RuntimeException | Error failure) {
      guard.remember(failure);
      return FAILED;
    }
  }

  /**
   * Reads a block from the medium, and copies some of its bytes. Threads that want the same block
   * at the same time read it once.
   *
   * @return whether the medium had that very block, unchanged; if not, nothing was copied
   */
  private boolean read(
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes)
      throws IOException {
    long generation = log.generation(location);
    BlockRead another = underWay.at(location);
    if (another != null && another.join()) {
      try {
        if (another.isOf(location, hash, generation, lengthBytes) && another.await()) {
          another.copyOut(from, dst, position, copiedBytes);
          return true;
        }
      } finally {
        leave(another);
      }
    }
    BlockRead own = take(lengthBytes);
    own.begin(location, hash, generation, lengthBytes);
    boolean shown = underWay.show(location, own);
    try {
      if (!read(own, location, hash, lengthBytes)) {
        return false;
      }
      own.copyOut(from, dst, position, copiedBytes);
      return true;
    } finally {
      if (shown) {
        underWay.hide(location);
      }
      own.fail();
      leave(own);
    }
  }

  /** Returns whether it brought the block. */
  private boolean read(BlockRead own, long location, long hash, int lengthBytes)
      throws IOException {
    readAround(own, location, lengthBytes);
    return open(own, location, hash, lengthBytes);
  }

  /** Returns whether the block is what was read. */
  boolean open(BlockRead own, long location, long hash, int lengthBytes) {
    int lead = lead(location);
    long found = RegionLayout.hash(own.block(), lead);
    return isNamed(found, hash, log.generation(location))
        && codec.open(own, lead, location, found, lengthBytes);
  }

  @Override
  public @Nullable ReadsAhead readAhead() {
    return aheads.takeKept();
  }

  @Override
  public int blocksAtOnce() {
    return medium.readsAtOnce() > 1 ? RegionReadsAhead.MOST_BLOCKS : 1;
  }

  void giveBack(RegionReadsAhead ahead) {
    aheads.giveBack(ahead);
  }

  void readAll(ReadBatch batch) {
    medium.readAll(batch);
  }

  long hashIn(int slot) {
    return index.hashIn(slot);
  }

  @Nullable BlockRead takeIfLeft(int lengthBytes) {
    return reads.take(lengthBytes);
  }

  boolean show(long location, BlockRead read) {
    return underWay.show(location, read);
  }

  void hide(long location) {
    underWay.hide(location);
  }

  /** Returns whether another thread reads a block just now. */
  boolean isRead(long location, long hash, long generation, int lengthBytes) {
    BlockRead another = underWay.at(location);
    if (another == null || !another.join()) {
      return false;
    }
    try {
      return another.isOf(location, hash, generation, lengthBytes);
    } finally {
      leave(another);
    }
  }

  /** Returns whether the block has left the buffer: only the medium has it. */
  boolean isOnMedium(long location) {
    return !buffer.holds(log.position(location));
  }

  void leave(BlockRead read) {
    if (read.leave() && !read.isSpoiled()) { // No other can be using the buffer.
      reads.giveBack(read);
    }
  }

  /**
   * Reads a block from the medium, and puts it where it was allocated again. It is not committed
   * yet.
   *
   * @return whether the medium had it; if not, nothing was put
   */
  public boolean move(long from, long hash, int lengthBytes, long to) throws IOException {
    BlockRead own = take(lengthBytes);
    own.begin(from, hash, log.generation(from), lengthBytes);
    try {
      boolean there = read(own, from, hash, lengthBytes);
      if (there) {
        own.put(codec, to);
      }
      return there;
    } finally {
      own.fail();
      leave(own);
    }
  }

  private long mediumOffset(long location) {
    return RegionLayout.SUPERBLOCKS_BYTES + locations.byteOffset(location);
  }

  /** Returns where in the buffer of a read the block begins: the medium is read from a multiple. */
  private int lead(long location) {
    return (int) mediumOffset(location) & (alignmentBytes - 1);
  }

  /** Returns where what is read around a block begins on the medium. */
  long offsetAround(long location) {
    return mediumOffset(location) - lead(location);
  }

  /** Returns how much is read around a block. */
  int bytesAround(long location, int lengthBytes) {
    return roundUp(lead(location) + BLOCK_HEADER_BYTES + lengthBytes);
  }

  private void readAround(BlockRead own, long location, int lengthBytes) throws IOException {
    int length = bytesAround(location, lengthBytes);
    boolean isOver = false;
    try {
      medium.read(offsetAround(location), own.block().first(length), length);
      isOver = true;
    } catch (NoDirectMemoryException notBegun) {
      isOver = true;
      throw notBegun;
    } finally {
      if (!isOver) { // The medium may still be writing to the buffer, on its own thread.
        own.spoil();
      }
    }
  }

  private boolean isNamed(long found, long hash, long generation) {
    return found == hash || (generation < table.firstGeneration() && isRenamed(found, hash));
  }

  /**
   * Returns whether a block of an earlier cache is named as it should be: its file has another
   * number now, and its offset is the same. Stamp and granule say which block it is; its name says
   * so once more.
   */
  private boolean isRenamed(long found, long hash) {
    long difference = index.keyOf(found) ^ index.keyOf(hash);
    return (difference & BucketLayout.OFFSET_MASK) == 0;
  }

  /** Returns a buffer for a block and what is read around it. */
  private BlockRead take(int lengthBytes) throws IOException {
    BlockRead own = reads.take(lengthBytes);
    if (own == null) {
      throw new NoDirectMemoryException(
          "no buffer of "
              + lengthBytes
              + " bytes is left for reading blocks; all together have "
              + reads.allocatedBytes()
              + " bytes of native memory");
    }
    return own;
  }

  /** Blocks are on their way through a buffer. */
  @Override
  public boolean isPlainMemory() {
    return false;
  }

  @Override
  public boolean isTaken(long location) {
    return log.generation(location) >= 0;
  }

  /** Always: pins are copies, which read the block as lookups do. */
  @Override
  public boolean isUnpinned(long location) {
    return true;
  }

  @Override
  public int spaceBytes(long location, int lengthBytes) {
    return log.spaceBytes(lengthBytes);
  }

  @Override
  public void release(long location, int lengthBytes) {
    log.release(lengthBytes);
  }

  @Override
  public void quarantine(long location, int lengthBytes) {
    table.damaged(log.region(location));
    log.release(lengthBytes);
  }

  /** A place is not written to again before its region, with all the others. */
  @Override
  public boolean keepsUnreadable() {
    return false;
  }

  @Override
  public long usedBytes() {
    return log.usedBytes();
  }

  @Override
  public long metadataBytes() {
    long forReads = reads.allocatedBytes();
    return table.metadataBytes() + buffer.sizeBytes() + forReads + codec.bufferBytes(forReads);
  }

  /** No space is freed block by block. */
  @Override
  public LongSupplier poisonFreed() {
    return () -> 0;
  }

  /** Frees the buffers; no call is inside any more. */
  @Override
  public void close() {
    reads.close();
    buffer.close();
  }

  /** Sees a block that lies in the buffer. */
  public interface BlockVisitor {
    /** Sees a block. */
    void visit(long hash, long location, int lengthBytes, int sum);
  }

  /**
   * Shows the blocks of a region that begin before a position, all of which are committed.
   *
   * @param from where the last call ended; 0 for the region's first block
   * @param to in the log
   * @return where the first block begins that was not shown
   */
  public long forEachBlock(long generation, long from, long to, BlockVisitor visitor) {
    AlignedBuffer memory = buffer.memory();
    long start = generation * table.regionBytes();
    long end = Math.min(to, log.contentEnd(generation));
    long at = Math.max(from, start + RegionLayout.firstBlockAt(locations.granuleBytes()));
    while (at < end) {
      int place = buffer.place(at);
      long hash = RegionLayout.hash(memory, place);
      int lengthBytes = RegionLayout.length(memory, place);
      if (hash != RegionLayout.NO_HASH) {
        visitor.visit(
            hash, log.location(at, lengthBytes), lengthBytes, RegionLayout.sum(memory, place));
      }
      at += log.spaceBytes(lengthBytes);
    }
    return at;
  }

  /** Has the medium forget all of a free region but its header. Returns the bytes. */
  public int discard(int region) throws IOException {
    int bytes = table.regionBytes() - RegionLayout.REGION_HEADER_BYTES;
    medium.discard(table.mediumOffset(region) + RegionLayout.REGION_HEADER_BYTES, bytes);
    return bytes;
  }

  /** Returns how much room so many blocks of a region left for its footer. */
  public int footerRoomBytes(int blocks) {
    return RegionLayout.footerBytes(blocks);
  }

  /**
   * Writes the next piece of the log to the medium, which must be {@linkplain AppendLog#wantsFlush
   * complete}. Called by one thread.
   */
  public int flush() throws IOException {
    int length = roundUp(log.pendingBytes()); // The rest of a region is not worth a write.
    if (length > 0) {
      write(length);
    }
    log.passFlushed();
    return length;
  }

  /** Writes the beginning of a piece that will not be completed. Called by one thread. */
  public int flushBeginning(int lengthBytes) throws IOException {
    int length = roundUp(lengthBytes);
    write(length);
    return length;
  }

  private void write(int length) throws IOException {
    int place = buffer.place(log.flushed());
    medium.write(log.flushOffset(), buffer.memory().whole(), place, length);
  }
}
