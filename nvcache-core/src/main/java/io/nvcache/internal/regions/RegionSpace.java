// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.control.Settings;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.ReadsAhead;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.memory.AlignedBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of blocks on a medium that is written in regions: into the buffer, from there to the
 * medium, and back.
 */
public final class RegionSpace implements BlockSpace, AutoCloseable {
  /** A drive makes reads wait for the write that it is at: a longer one would cost their tail. */
  private static final int WRITE_BYTES = 256 << 10;

  private final Medium medium;
  private final AppendLog log;
  private final RegionTable table;
  private final LocationCodec locations;
  private final AppendBuffer buffer;
  private final BlockIndex index;
  private final BlockCodec codec;
  private final MediumGuard guard;
  private final int alignmentBytes;
  private final RegionReads reads;

  /**
   * Reads and writes blocks.
   *
   * @param codec seals the blocks, or does not
   * @param settings say how many reads are verified
   * @param readBytes that the buffers of all reads under way may take
   */
  public RegionSpace(
      Medium medium,
      AppendLog log,
      BlockIndex index,
      RegionCodec codec,
      Settings settings,
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
    this.reads = new RegionReads(medium, log, index, this.codec, settings, readBytes);
  }

  private int roundUp(int bytes) {
    return (bytes + alignmentBytes - 1) & -alignmentBytes;
  }

  /** Returns the log that the blocks are in. */
  public AppendLog log() {
    return log;
  }

  /** Puts a block, with its header, where it was allocated. It is not committed yet. */
  public void put(
      long location, long hash, int sum, ByteBuffer block, int position, int lengthBytes) {
    codec.put(location, hash, sum, block, position, lengthBytes);
  }

  @Override
  public int copy(
      int slot, long location, int lengthBytes, int from, ByteBuffer dst, int position, int bytes) {
    try {
      long hash = index.hashIn(slot);
      return codec.copyBuffered(location, hash, lengthBytes, from, dst, position, bytes)
              || reads.copy(slot, location, hash, lengthBytes, from, dst, position, bytes)
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
   * Reads a block from the medium, and puts it where it was allocated again. It is not committed
   * yet.
   *
   * @param sum that the index has of it
   * @return whether the medium had it; if not, nothing was put
   */
  public boolean move(long from, long hash, int sum, int lengthBytes, long to) throws IOException {
    return reads.move(from, hash, sum, lengthBytes, to);
  }

  @Override
  public @Nullable ReadsAhead readAhead() {
    return reads.readAhead();
  }

  @Override
  public int blocksAtOnce() {
    return medium.readsAtOnce() > 1 ? RegionReadsAhead.MOST_BLOCKS : 1;
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
    return log.spaceBytes(location, lengthBytes);
  }

  @Override
  public void release(long location, int lengthBytes) {
    log.release(location, lengthBytes);
  }

  @Override
  public void quarantine(long location, int lengthBytes) {
    table.damaged(log.region(location));
    log.release(location, lengthBytes);
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
    return table.metadataBytes() + buffer.memoryBytes() + forReads + codec.bufferBytes(forReads);
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
    long start = generation * table.regionBytes();
    long end = Math.min(to, log.contentEnd(generation));
    long at = Math.max(from, start + RegionLayout.firstBlockAt(locations.granuleBytes()));
    while (at < end) {
      boolean isPages =
          log.room().readsPages()
              && buffer.beginsPages(at, log.stamp(generation), log.granuleAt(at));
      AlignedBuffer memory = isPages ? buffer.pageHeaders() : buffer.memory();
      int place = isPages ? buffer.headerPlace(at) : buffer.place(at);
      long hash = RegionLayout.hash(memory, place);
      int lengthBytes = RegionLayout.length(memory, place);
      if (hash != RegionLayout.NO_HASH) {
        visitor.visit(
            hash, log.location(at, lengthBytes), lengthBytes, RegionLayout.sum(memory, place));
      }
      at += log.room().bytes(at, lengthBytes);
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
    long offset = log.flushOffset();
    for (int done = 0; done < length; done += WRITE_BYTES) {
      int now = Math.min(WRITE_BYTES, length - done);
      medium.write(offset + done, buffer.memory().whole(), place + done, now);
    }
  }
}
