// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static io.nvcache.internal.regions.RegionLayout.BLOCK_HEADER_BYTES;

import io.nvcache.control.Settings;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.medium.ReadBatch;
import io.nvcache.memory.BufferPool;
import io.nvcache.memory.LendingPool;
import io.nvcache.memory.RawMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads of blocks that are on the medium. A block has a header next to it, which proves at every
 * read that it is the one that was wanted, in the region's present generation, and unchanged. One
 * that fills pages has none, and is {@linkplain PageProof proven} by its sum in the index; it is
 * read straight into the caller's buffer if the medium can do that.
 */
final class RegionReads implements AutoCloseable {
  /** Instead of a sum: the bytes need not be compared. */
  private static final long UNCOMPARED = -1;

  private final Medium medium;
  private final AppendLog log;
  private final RegionTable table;
  private final LocationCodec locations;
  private final BlockIndex index;
  private final BlockCodec codec;
  private final PageProof proof;
  private final int alignmentBytes;
  private final BufferPool<BlockRead> reads;
  private final ReadsUnderWay underWay = new ReadsUnderWay();

  /** Reads for batches of lookups; empty if the medium makes one read after another. */
  private final LendingPool<RegionReadsAhead> aheads =
      new LendingPool<>(() -> new RegionReadsAhead(this));

  /**
   * Reads blocks.
   *
   * @param settings say how many reads are verified
   * @param readBytes that the buffers of all reads under way may take
   */
  RegionReads(
      Medium medium,
      AppendLog log,
      BlockIndex index,
      BlockCodec codec,
      Settings settings,
      long readBytes) {
    this.medium = medium;
    this.log = log;
    this.table = log.table();
    this.locations = log.locations();
    this.index = index;
    this.codec = codec;
    this.proof = new PageProof(index, settings);
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

  /**
   * Copies bytes of a block from the medium, or from what another thread reads.
   *
   * @return whether the medium had that very block, unchanged if it was to be compared
   */
  boolean copy(
      int slot,
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int bytes)
      throws IOException {
    return join(location, hash, lengthBytes, from, dst, position, bytes)
        || read(slot, location, hash, lengthBytes, from, dst, position, bytes);
  }

  /** Copies bytes of a block that another thread is reading: threads that want one read it once. */
  private boolean join(
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes) {
    BlockRead another = underWay.at(location);
    if (another == null || !another.join()) {
      return false;
    }
    try {
      boolean isThere =
          another.isOf(location, hash, log.generation(location), lengthBytes) && another.await();
      if (isThere) {
        another.copyOut(from, dst, position, copiedBytes);
      }
      return isThere;
    } finally {
      leave(another);
    }
  }

  /**
   * Reads a block from the medium, and copies some of its bytes.
   *
   * @return whether the medium had that very block, unchanged if it was to be compared; if not,
   *     what was copied means nothing
   */
  private boolean read(
      int slot,
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes)
      throws IOException {
    if (!log.isPages(location, lengthBytes)) {
      return share(location, hash, UNCOMPARED, lengthBytes, from, dst, position, copiedBytes);
    }
    int its = proof.of(slot);
    boolean isCompared = proof.isWanted(its);
    long sum = isCompared ? Integer.toUnsignedLong(its) : UNCOMPARED;
    boolean isRead;
    if (canReadInto(dst, position, from, copiedBytes)
        && (!isCompared || copiedBytes == lengthBytes)
        && underWay.beginAlone(location)) {
      try {
        medium.read(mediumOffset(location) + from, dst, position, copiedBytes);
      } finally {
        underWay.endAlone(location);
      }
      isRead = !isCompared || PageProof.holds(its, dst, position, lengthBytes);
    } else {
      isRead = share(location, hash, sum, lengthBytes, from, dst, position, copiedBytes);
    }
    if (isRead) {
      held(slot, location, hash, sum);
    }
    return isRead;
  }

  /** Returns whether bytes of a block that fills pages may be read into a caller's buffer. */
  private boolean canReadInto(ByteBuffer dst, int position, int from, int bytes) {
    return ((from | bytes) & (alignmentBytes - 1)) == 0 && medium.readsInto(dst, position);
  }

  /**
   * Reads a block to a buffer that others may copy it from as well.
   *
   * @param sum to compare the bytes of a block with that fills pages, or {@link #UNCOMPARED}
   */
  private boolean share(
      long location,
      long hash,
      long sum,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes)
      throws IOException {
    BlockRead own = take(lengthBytes);
    own.begin(location, hash, log.generation(location), lengthBytes);
    boolean shown = underWay.show(location, own);
    try {
      if (!read(own, location, hash, sum, lengthBytes)) {
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
  private boolean read(BlockRead own, long location, long hash, long sum, int lengthBytes)
      throws IOException {
    readAround(own, location, lengthBytes);
    return open(own, location, hash, sum, lengthBytes);
  }

  /**
   * Returns whether the block is what was read.
   *
   * @param sum to compare it with if it fills pages, or {@link #UNCOMPARED}
   */
  boolean open(BlockRead own, long location, long hash, long sum, int lengthBytes) {
    int lead = lead(location);
    if (!log.isPages(location, lengthBytes)) {
      long found = RegionLayout.hash(own.block(), lead);
      return isNamed(found, hash, log.generation(location))
          && codec.open(own, lead, location, found, lengthBytes);
    }
    boolean holds =
        sum == UNCOMPARED || PageProof.holds((int) sum, own.block().whole(), lead, lengthBytes);
    if (holds) {
      own.succeed(lead);
    }
    return holds;
  }

  /**
   * Returns the sum that a block is to be compared with, or {@link #UNCOMPARED}; to be asked by a
   * read that begins after its entry was found unchanged. What the slot says of a block is of this
   * one only if it still has this one, at this place, afterwards: there no other lies before all of
   * the region is free.
   */
  long sum(int slot, long location, long hash, int lengthBytes) {
    if (!log.isPages(location, lengthBytes)) {
      return UNCOMPARED;
    }
    int its = proof.of(slot);
    RawMemory.loadFence();
    boolean isOfBlock = index.hashIn(slot) == hash && index.location(slot) == location;
    return isOfBlock && !proof.isWanted(its) ? UNCOMPARED : Integer.toUnsignedLong(its);
  }

  /** A block was found to have this sum, if it was compared with one. */
  void held(int slot, long location, long hash, long sum) {
    if (sum != UNCOMPARED) {
      proof.held(slot, hash, location, (int) sum);
    }
  }

  /** Returns what reads several blocks at once; null if all are in use, or the medium does not. */
  @Nullable RegionReadsAhead readAhead() {
    return aheads.takeKept();
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
    return !log.buffer().holds(log.position(location));
  }

  long generation(long location) {
    return log.generation(location);
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
   * @param sum that the index has of it
   * @return whether the medium had it; if not, nothing was put
   */
  boolean move(long from, long hash, int sum, int lengthBytes, long to) throws IOException {
    BlockRead own = take(lengthBytes);
    own.begin(from, hash, log.generation(from), lengthBytes);
    try {
      boolean there = read(own, from, hash, Integer.toUnsignedLong(sum), lengthBytes);
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
    int headerBytes = log.isPages(location, lengthBytes) ? 0 : BLOCK_HEADER_BYTES;
    return (lead(location) + headerBytes + lengthBytes + alignmentBytes - 1) & -alignmentBytes;
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

  /** Returns the bytes of the buffers that there are. */
  long allocatedBytes() {
    return reads.allocatedBytes();
  }

  /** Frees the buffers; no call is inside any more. */
  @Override
  public void close() {
    reads.close();
  }
}
