// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import static io.nvcache.internal.space.RegionLayout.BLOCK_HEADER_BYTES;

import io.nvcache.internal.index.BucketLayout;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferPool;
import io.nvcache.memory.BufferSum;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of blocks on a medium that is written in regions: into the buffer, from there to the
 * medium, and back. Each block has a header beside it, which proves at every read of the medium
 * that it is the one that was wanted, in the region's present generation, and unchanged.
 */
public final class RegionSpace implements AutoCloseable {
  private final Medium medium;
  private final RegionAllocator allocator;
  private final AppendBuffer buffer;
  private final int alignmentBytes;
  private final BufferPool<BlockRead> reads;
  private final ReadsUnderWay underWay = new ReadsUnderWay();

  /** From a hash to the key that has it. */
  private final LongUnaryOperator keyOf;

  private final @Nullable RegionCipher cipher;

  /**
   * Reads and writes blocks.
   *
   * @param keyOf the key of a hash, or of one that an earlier cache found a block by
   * @param cipher seals the blocks, also in the buffer; null if they are not sealed
   * @param readBytes that the buffers of all reads under way may take
   */
  public RegionSpace(
      Medium medium,
      RegionAllocator allocator,
      LongUnaryOperator keyOf,
      @Nullable RegionCipher cipher,
      long readBytes) {
    this.medium = medium;
    this.allocator = allocator;
    this.buffer = allocator.buffer();
    this.keyOf = keyOf;
    this.cipher = cipher;
    this.alignmentBytes = medium.alignmentBytes();
    this.reads =
        new BufferPool<>(
            allocator.maxBlockBytes(),
            BLOCK_HEADER_BYTES + 2 * alignmentBytes, // As much is read around a block.
            alignmentBytes,
            readBytes,
            BlockRead::new,
            BlockRead::block);
  }

  private int roundUp(int bytes) {
    return (bytes + alignmentBytes - 1) & -alignmentBytes;
  }

  public RegionAllocator allocator() {
    return allocator;
  }

  /**
   * Puts a block, with its header, where it was allocated. It is not settled yet.
   *
   * @param hash what the index finds it by
   */
  public void put(long location, long hash, ByteBuffer block, int position, int lengthBytes) {
    if (cipher != null) {
      putSealed(cipher, location, hash, block, position, lengthBytes);
      return;
    }
    long at = allocator.position(location);
    int sum = BufferSum.of(block, position, lengthBytes);
    buffer.copyIn(at + BLOCK_HEADER_BYTES, block, position, lengthBytes);
    RegionLayout.putBlockHeader(
        buffer.memory(),
        buffer.place(at),
        hash,
        stampOf(location),
        lengthBytes,
        allocator.granule(location),
        sum);
  }

  private void putSealed(
      RegionCipher by, long location, long hash, ByteBuffer block, int position, int lengthBytes) {
    long at = allocator.position(location);
    ByteBuffer header = sealedHeader(location, hash, lengthBytes);
    by.sealBlock(
        allocator.region(location),
        header,
        allocator.generation(location),
        block,
        position,
        lengthBytes,
        bytes -> {
          buffer.copyIn(at + BLOCK_HEADER_BYTES, bytes, 0, lengthBytes);
          RegionLayout.putSealedHeader(
              buffer.memory(), buffer.place(at), header, bytes, lengthBytes);
        });
  }

  private long stampOf(long location) {
    return allocator.stamp(allocator.generation(location));
  }

  private ByteBuffer sealedHeader(long location, long hash, int lengthBytes) {
    return RegionLayout.sealedHeader(
        hash, stampOf(location), lengthBytes, allocator.granule(location));
  }

  /**
   * Copies bytes of a block, if it is in the buffer and was so until they were copied. Otherwise it
   * is on the medium, or its entry is gone.
   *
   * @param hash what the index finds it by
   * @param lengthBytes of the whole block
   */
  public boolean copyBuffered(
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes) {
    if (cipher != null) {
      return copyBufferedSealed(
          cipher, location, hash, lengthBytes, from, dst, position, copiedBytes);
    }
    long at = allocator.position(location);
    return buffer.copyOut(at, BLOCK_HEADER_BYTES + from, dst, position, copiedBytes)
        && RegionLayout.names(buffer.memory(), buffer.place(at), hash, stampOf(location));
  }

  private boolean copyBufferedSealed(
      RegionCipher by,
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes) {
    long at = allocator.position(location);
    ByteBuffer header = ByteBuffer.allocate(BLOCK_HEADER_BYTES);
    if (lengthBytes > allocator.maxBlockBytes()
        || !buffer.copyOut(at, 0, header, 0, BLOCK_HEADER_BYTES)) {
      return false; // No block is as long: the entry was torn.
    }
    RegionCipher.Room room = by.takeRoom(lengthBytes);
    try {
      ByteBuffer plain =
          by.openBlock(
              allocator.region(location),
              sealedHeader(location, hash, lengthBytes),
              allocator.generation(location),
              header,
              lengthBytes,
              bytes -> buffer.copyOut(at, BLOCK_HEADER_BYTES, bytes, 0, lengthBytes),
              room);
      return plain != null && copyOut(plain, from, dst, position, copiedBytes);
    } finally {
      by.giveBack(room);
    }
  }

  /** Copies bytes of a block that was opened, and returns true. */
  static boolean copyOut(
      ByteBuffer plain, int from, ByteBuffer dst, int position, int copiedBytes) {
    if (RawMemory.mayVanish(dst)) {
      VanishingMemory.copyTo(dst, position, plain.slice(from, copiedBytes));
    } else {
      dst.duplicate().clear().put(position, plain, from, copiedBytes);
    }
    return true;
  }

  /**
   * Reads a block from the medium, and copies some of its bytes. Threads that want the same block
   * at the same time read it once.
   *
   * @param hash what the index finds it by
   * @return whether the medium had that very block, unchanged; if not, nothing was copied
   */
  public boolean read(
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes)
      throws IOException {
    long generation = allocator.generation(location);
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
    AlignedBuffer block = own.block();
    int lead = readAround(own, location, lengthBytes);
    if (cipher != null) {
      ByteBuffer plain = open(cipher, own, lead, location, hash, lengthBytes);
      if (plain != null) {
        own.succeed(lead, plain);
      }
      return plain != null;
    }
    boolean there = isBlock(block, lead, location, hash, lengthBytes);
    if (there) {
      own.succeed(lead, null);
    }
    return there;
  }

  private void leave(BlockRead read) {
    if (read.leave()) {
      end(read);
    }
  }

  /** Gives the buffer back, for the next read, if no other can be using it. */
  private void end(BlockRead read) {
    if (!read.isSpoiled()) {
      reads.giveBack(read);
    }
  }

  /**
   * Reads a block from the medium, and puts it where it was allocated anew. It is not settled yet.
   *
   * @return whether the medium had it; if not, nothing was put
   */
  public boolean copy(long from, long hash, int lengthBytes, long to) throws IOException {
    BlockRead own = take(lengthBytes);
    AlignedBuffer block = own.block();
    try {
      int lead = readAround(own, from, lengthBytes);
      if (cipher != null) {
        ByteBuffer plain = open(cipher, own, lead, from, hash, lengthBytes);
        if (plain != null) {
          put(to, hash, plain, 0, lengthBytes);
        }
        return plain != null;
      }
      boolean there = isBlock(block, lead, from, hash, lengthBytes);
      if (there) {
        put(to, hash, block.whole(), lead + BLOCK_HEADER_BYTES, lengthBytes);
      }
      return there;
    } finally {
      end(own);
    }
  }

  /** Returns where in the buffer the block begins: the medium is read from a multiple on. */
  private int readAround(BlockRead own, long location, int lengthBytes) throws IOException {
    long at = RegionLayout.SUPERBLOCKS_BYTES + allocator.byteOffset(location);
    int lead = (int) at & (alignmentBytes - 1);
    int length = roundUp(lead + BLOCK_HEADER_BYTES + lengthBytes);
    boolean isOver = false;
    try {
      medium.read(at - lead, own.block().first(length), length);
      isOver = true;
    } catch (NoDirectMemoryException notBegun) {
      isOver = true;
      throw notBegun;
    } finally {
      if (!isOver) { // The medium may still be writing to the buffer, on a thread of its own.
        own.spoil();
      }
    }
    return lead;
  }

  /** Returns the bytes of a sealed block that was read; null if it is not that block. */
  private @Nullable ByteBuffer open(
      RegionCipher by, BlockRead own, int lead, long location, long hash, int lengthBytes) {
    AlignedBuffer block = own.block();
    long generation = allocator.generation(location);
    long found = RegionLayout.hash(block, lead);
    return isNamed(found, hash, generation)
        ? by.openBlock(
            allocator.region(location),
            sealedHeader(location, found, lengthBytes),
            generation,
            block.whole().slice(lead, BLOCK_HEADER_BYTES),
            lengthBytes,
            bytes -> {
              block.copyOut(lead + BLOCK_HEADER_BYTES, bytes, 0, lengthBytes);
              return true;
            },
            own.room())
        : null;
  }

  private boolean isNamed(long found, long hash, long generation) {
    return found == hash || (generation < allocator.firstGeneration() && isRenamed(found, hash));
  }

  private boolean isBlock(
      AlignedBuffer block, int lead, long location, long hash, int lengthBytes) {
    long generation = allocator.generation(location);
    long found = RegionLayout.hash(block, lead);
    return isNamed(found, hash, generation)
        && RegionLayout.isBlock(
            block,
            lead,
            found,
            allocator.stamp(generation),
            lengthBytes,
            allocator.granule(location));
  }

  /**
   * Returns whether a block of an earlier cache is named as it should be: its file has another
   * number now, and its offset is the same. Stamp and granule say which block it is; its name says
   * so once more.
   */
  private boolean isRenamed(long found, long hash) {
    long difference = keyOf.applyAsLong(found) ^ keyOf.applyAsLong(hash);
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

  /** Returns the bytes of all buffers in DRAM. */
  public long bufferBytes() {
    long forReads = reads.allocatedBytes();
    // On the heap, as long as a read's buffer, and for those that read nothing.
    long forSealed = cipher == null ? 0 : forReads + cipher.keptBytes();
    return buffer.sizeBytes() + forReads + forSealed;
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
   * Shows the blocks of a region that begin before a position, all of which are settled.
   *
   * @param from where the last call ended; 0 for the region's first block
   * @param to in the log
   * @return where the first block begins that was not shown
   */
  public long forEachBlock(long generation, long from, long to, BlockVisitor visitor) {
    AlignedBuffer memory = buffer.memory();
    long start = generation * allocator.regionBytes();
    long end = Math.min(to, allocator.contentEnd(generation));
    long at = Math.max(from, start + RegionLayout.firstBlockAt(allocator.granuleBytes()));
    while (at < end) {
      int place = buffer.place(at);
      long hash = RegionLayout.hash(memory, place);
      int lengthBytes = RegionLayout.length(memory, place);
      if (hash != RegionLayout.NO_HASH) {
        visitor.visit(
            hash,
            allocator.location(at, lengthBytes),
            lengthBytes,
            RegionLayout.sum(memory, place));
      }
      at += allocator.spaceBytes(lengthBytes);
    }
    return at;
  }

  /** Has the medium forget all of a free region but its header. Returns the bytes. */
  public int discard(int region) throws IOException {
    int bytes = allocator.regionBytes() - RegionLayout.REGION_HEADER_BYTES;
    medium.discard(allocator.mediumOffset(region) + RegionLayout.REGION_HEADER_BYTES, bytes);
    return bytes;
  }

  /** Returns how much room so many blocks of a region left for its footer. */
  public int footerRoomBytes(int blocks) {
    return RegionLayout.footerBytes(blocks);
  }

  /**
   * Writes the next piece of the log to the medium, which must be {@linkplain
   * RegionAllocator#wantsFlush complete}. Called by one thread.
   */
  public int flush() throws IOException {
    int length = roundUp(allocator.pendingBytes()); // The rest of a region is not worth a write.
    if (length > 0) {
      write(length);
    }
    allocator.passFlushed();
    return length;
  }

  /** Writes the beginning of a piece that will not be completed. Called by one thread. */
  public int flushBeginning(int lengthBytes) throws IOException {
    int length = roundUp(lengthBytes);
    write(length);
    return length;
  }

  private void write(int length) throws IOException {
    int place = buffer.place(allocator.flushed());
    medium.write(allocator.flushOffset(), buffer.memory().whole(), place, length);
  }
}
