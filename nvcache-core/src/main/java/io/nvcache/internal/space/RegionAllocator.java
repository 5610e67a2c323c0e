// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends blocks to regions of the medium, one region after the other, and gives a region to new
 * blocks only when all of it is free. The format is drawn in {@link RegionLayout}.
 *
 * <p><b>The log.</b> All regions ever filled, in the order of their <em>generations</em>, are one
 * sequence of bytes. A <em>position</em> is a place in it: the generation times the length of a
 * region, and the place in that. Positions only grow, and none comes twice.
 *
 * <pre>
 *             buffered            flushed                               head
 *   …---------|-------------------|-----------------------------|-------|        positions
 *   on the    | on the medium and | in the buffer only          | in the
 *   medium    | in the buffer     |                             | chunk that is filled
 * </pre>
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>{@code buffered ≤ flushed ≤ head}. The {@linkplain AppendBuffer buffer} gives up only
 *       blocks all of which is flushed: one that is not in it any more is on the medium.
 *   <li>A chunk is written to the medium when the head has passed it and every block that lies in
 *       it, or begins or ends in it, is {@linkplain #settled settled}: in the index, or given up.
 *       So all that will ever be in the index of a chunk is there when the chunk is flushed.
 *   <li>A region has a generation from its opening until it is {@linkplain #free freed}, which is
 *       after the last of its entries is out of the index. So an entry that stands while it is read
 *       is one of the region's present generation.
 * </ul>
 *
 * <p><b>A location</b> has the block's first granule in its low bits, and in its high bits how many
 * times 64 KiB hold the block; sixteen bits of slack then make its length exact.
 *
 * <p><b>Locking.</b> The monitor is held to append and to open and free regions. Readers take none.
 */
public final class RegionAllocator extends Allocator {
  private static final int CUT_SHIFT = 16;
  private static final long NO_GENERATION = -1;

  /** Of the buffer, where there is memory: 16 chunks of the usual size. */
  private static final int USUAL_BUFFER_BYTES = 16 << 20;

  private static final int MAX_CHUNK_BYTES = 1 << 20;
  private static final int LEAST_CHUNKS = 4;
  private static final int CAPACITIES_PER_BUFFER = 32;

  private final int regionBytes;
  private final int regions;
  private final int chunkBytes;
  private final AppendBuffer buffer;

  /** By region: its generation, or none if it is free. */
  private final AtomicLongArray generations;

  /** By region: the lowest generation that the medium may show of it; none if it shows none. */
  private final AtomicLongArray headers;

  /** By generation, of those that may not be flushed yet: the region. */
  private final AtomicIntegerArray recentRegions;

  /** By generation, of those that may not be flushed yet: where its blocks end in the log. */
  private final AtomicLongArray recentEnds;

  /** Drawn by the cache; see {@link RegionLayout#stamp}. */
  private final UUID instance;

  private final @Nullable RegionCipher cipher;

  /** By chunk of the buffer: blocks that are not settled. */
  private final AtomicIntegerArray unsettled;

  /** By chunk of the buffer: the block that last reached into it from before. Under the monitor. */
  private final long[] reachingIn;

  private final FreeRegions free;

  private final AtomicLong usedBytes = new AtomicLong();

  /** Of the region that is filled; the first of all begins with the next one. Under the monitor. */
  private long generation = NO_GENERATION;

  /** In the region that is filled. Under the monitor. */
  private int blocks;

  /** Where the last block ends: the head, or before it where a region was closed. */
  private long contentEnd;

  private volatile long head;
  private volatile long flushed;
  private volatile int emptying = -1;

  /** The first generation that this cache gives; those below are an earlier one's. */
  private volatile long firstGeneration;

  private volatile boolean held;

  /**
   * Manages the regions of a medium, all of which are free.
   *
   * @param instance of the cache
   */
  public RegionAllocator(Sizing sizing, int alignmentBytes, UUID instance) {
    this(sizing, alignmentBytes, instance, null);
  }

  /**
   * Manages the same.
   *
   * @param cipher seals the regions; null if they are not sealed
   */
  public RegionAllocator(
      Sizing sizing, int alignmentBytes, UUID instance, @Nullable RegionCipher cipher) {
    super(
        sizing,
        (long) regions(sizing) * sizing.extentBytes(),
        cuts(sizing.maxBlockBytes()),
        cutShift(sizing),
        (1L << cutShift(sizing)) - 1);
    this.regionBytes = sizing.extentBytes();
    this.regions = regions(sizing);
    this.chunkBytes = Math.min(MAX_CHUNK_BYTES, regionBytes);
    this.buffer = new AppendBuffer(bufferBytes(sizing), alignmentBytes);
    this.generations = new AtomicLongArray(regions);
    this.headers = new AtomicLongArray(regions);
    this.recentRegions = new AtomicIntegerArray(buffer.sizeBytes() / regionBytes + 3);
    this.recentEnds = new AtomicLongArray(recentRegions.length());
    this.instance = instance;
    this.cipher = cipher;
    this.free = new FreeRegions(regions);
    this.unsettled = new AtomicIntegerArray(buffer.sizeBytes() / chunkBytes);
    this.reachingIn = new long[unsettled.length()];
    Arrays.fill(reachingIn, Long.MIN_VALUE);
    for (int i = 0; i < regions; i++) {
      generations.set(i, NO_GENERATION);
      headers.set(i, NO_GENERATION);
      free.addBlank(i);
    }
  }

  private static int regions(Sizing sizing) {
    return RegionLayout.regions(sizing.capacityBytes(), sizing.extentBytes());
  }

  /** The lengths that a location's high bits stand for. */
  private static int[] cuts(int maxBlockBytes) {
    int[] cuts = new int[((maxBlockBytes - 1) >>> CUT_SHIFT) + 1];
    Arrays.setAll(cuts, i -> (i + 1) << CUT_SHIFT);
    return cuts;
  }

  private static int cutShift(Sizing sizing) {
    long granules = (long) regions(sizing) * (sizing.extentBytes() / sizing.granuleBytes());
    return Long.SIZE - Long.numberOfLeadingZeros(granules - 1);
  }

  private int bufferBytes(Sizing sizing) {
    long least =
        Math.max(
            (long) LEAST_CHUNKS * chunkBytes,
            4L * Integer.highestOneBit(2 * sizing.maxBlockBytes() - 1));
    long wanted = Long.highestOneBit(sizing.capacityBytes() / CAPACITIES_PER_BUFFER);
    return (int) Math.max(least, Math.min(USUAL_BUFFER_BYTES, wanted));
  }

  AppendBuffer buffer() {
    return buffer;
  }

  /** Appends; to be {@linkplain #settled settled}, with the same length. */
  @Override
  synchronized long take(int lengthBytes) {
    int space = spaceBytes(lengthBytes);
    long at = head;
    long regionEnd = (generation + 1) * regionBytes;
    boolean opens = at + space > regionEnd - RegionLayout.footerBytes(blocks + 1);
    if (opens) {
      if (free.none()) {
        return NO_SPACE;
      }
      at = regionEnd + RegionLayout.firstBlockAt(granuleBytes());
    }
    long end = at + space;
    if (!buffer.makeRoom(end, kept(flushed))) {
      if (opens && end - buffer.sizeBytes() > kept(head & -chunkBytes)) {
        // No flush up to the head makes this room: the rest of the region, left to a footer of
        // many small blocks, is longer than the buffer. It is passed without being written.
        head = regionEnd;
      }
      return BUSY;
    }
    if (opens) {
      openRegion();
    }
    blocks++;
    RegionLayout.putPlace(buffer.memory(), buffer.place(at), stamp(generation), lengthBytes);
    for (long chunk = at / chunkBytes; chunk <= (end - 1) / chunkBytes; chunk++) {
      unsettled.getAndIncrement(chunkPlace(chunk * chunkBytes));
      if (chunk * chunkBytes > at) {
        reachingIn[chunkPlace(chunk * chunkBytes)] = at;
      }
    }
    contentEnd = end;
    head = end; // After the counts: who sees that it has passed a chunk sees who is in it.
    usedBytes.addAndGet(space);
    return location(at, lengthBytes);
  }

  /**
   * Returns from where on the buffer must hold the log while it is flushed up to the beginning of a
   * chunk: a block of which only a part is on the medium can't be read there.
   */
  private synchronized long kept(long flushedTo) {
    long block = reachingIn[chunkPlace(flushedTo)];
    boolean isPresent = block < flushedTo && block > flushedTo - buffer.sizeBytes();
    return isPresent ? block : flushedTo;
  }

  /** The header first: drawing a key takes memory, and without any nothing was done. */
  private synchronized void openRegion() {
    int region = free.next();
    long its = generation + 1;
    int place = buffer.place(its * regionBytes);
    RegionLayout.putRegionHeader(
        buffer.memory().whole(), place, instance, region, its, regionBytes, cipher);
    if (generation >= 0) {
      recentEnds.set(recent(generation), contentEnd);
    }
    free.removeNext();
    generation = its;
    blocks = 0;
    recentRegions.set(recent(generation), region);
    generations.set(region, generation);
  }

  /** Returns the header, with zeros behind it, of a region of which nothing is flushed yet. */
  ByteBuffer header(long unflushedGeneration) {
    ByteBuffer header = ByteBuffer.allocate(RegionLayout.REGION_HEADER_BYTES);
    int place = buffer.place(unflushedGeneration * regionBytes);
    return header.put(0, buffer.memory().whole(), place, RegionLayout.HEADER_USED_BYTES);
  }

  private int recent(long aGeneration) {
    return (int) (aGeneration % recentRegions.length());
  }

  /** Nothing is appended until {@link #begin}: what the regions hold is not known yet. */
  public synchronized void hold() {
    held = true;
    free.clear();
    for (int region = 0; region < regions; region++) {
      headers.set(region, 0);
    }
  }

  /** Returns whether it is not known yet what the regions hold. */
  public boolean isHeld() {
    return held;
  }

  /** Takes over a region that an earlier cache filled. Before its entries are in the index. */
  public synchronized void adopt(int region, long itsGeneration) {
    generations.set(region, itsGeneration);
  }

  /** An entry of a region that was adopted came into the index. */
  public void restored(int lengthBytes) {
    usedBytes.addAndGet(spaceBytes(lengthBytes));
  }

  /**
   * Begins the log, with a generation above all that were adopted. All other regions are free. If
   * it finds no memory, nothing has changed, and it may be called again.
   *
   * @param blanks those without blocks of an earlier cache
   */
  public synchronized void begin(long first, BitSet blanks) {
    free.addUnused(region -> generations.get(region) == NO_GENERATION, blanks);
    firstGeneration = first;
    generation = first - 1;
    buffer.begin(first * regionBytes);
    flushed = first * regionBytes;
    head = first * regionBytes;
    contentEnd = head;
    held = false;
  }

  /** Returns the free regions that hold dead blocks, those first that are filled next. */
  synchronized List<Integer> deadRegions() {
    return free.dead();
  }

  /**
   * Takes out a free region that holds dead blocks, the one that would be filled last; a negative
   * number if there is none, or it may soon be needed. It is not filled before it was {@linkplain
   * #discarded discarded}, or {@linkplain #keepDead not}.
   */
  public synchronized int takeDead() {
    return free.removeLastDead();
  }

  /** A region that was taken out holds no blocks any more. */
  public synchronized void discarded(int region) {
    headers.set(region, NO_GENERATION);
    free.addBlank(region);
  }

  /** A region that was taken out may still hold dead blocks. */
  public synchronized void keepDead(int region) {
    free.addDead(region);
  }

  /** Returns the generation of the region that is filled. */
  synchronized long headGeneration() {
    return generation;
  }

  /** Takes down the generation in the header that the medium has of a region for certain. */
  public void putHeader(int region, long itsGeneration) {
    headers.set(region, itsGeneration);
  }

  /**
   * Returns the lowest generation that the next cache may find. A region that was freed, or opened
   * anew in the buffer only, shows its last one until another header is written. One whose header
   * could not be read, or was damaged, may show any: the next cache may read what this one could
   * not.
   */
  long lowestGeneration() {
    long lowest = Long.MAX_VALUE;
    for (int region = 0; region < regions; region++) {
      long its = headers.get(region);
      lowest = its < 0 ? lowest : Math.min(lowest, its);
    }
    return lowest;
  }

  /** Returns the first generation that is this cache's own. */
  long firstGeneration() {
    return firstGeneration;
  }

  /** Returns where in the log the blocks of a generation end that may not be flushed yet. */
  synchronized long contentEnd(long recentGeneration) {
    return recentGeneration == generation ? contentEnd : recentEnds.get(recent(recentGeneration));
  }

  /** Returns what the blocks of a generation are stamped with. */
  long stamp(long aGeneration) {
    return RegionLayout.stamp(instance, aGeneration);
  }

  /** Returns the location of a block at a position that may not be flushed yet. */
  long location(long position, int lengthBytes) {
    int region = regionOf(position / regionBytes);
    long offset = (long) region * regionBytes + position % regionBytes;
    return locationOf(offset / granuleBytes(), lengthBytes);
  }

  /** Returns the location of a block that begins with a granule. */
  public long locationOf(long granule, int lengthBytes) {
    int cut = (lengthBytes - 1) >>> CUT_SHIFT;
    return (long) cut << Long.bitCount(granuleMask()) | granule;
  }

  /** Returns the region of a generation that may not be flushed yet. */
  int regionOf(long recentGeneration) {
    return recentRegions.get(recent(recentGeneration));
  }

  private int chunkPlace(long position) {
    return buffer.place(position) / chunkBytes;
  }

  /** Returns what a block of this length takes with its header. */
  public int spaceBytes(int lengthBytes) {
    return RegionLayout.spaceBytes(lengthBytes, granuleBytes());
  }

  @Override
  public int spaceBytes(long location, int lengthBytes) {
    return spaceBytes(lengthBytes);
  }

  /** A block that was appended is in the index now, or never will be. */
  public void settled(long location, int lengthBytes) {
    long at = position(location);
    long end = at + spaceBytes(lengthBytes);
    for (long chunk = at / chunkBytes; chunk <= (end - 1) / chunkBytes; chunk++) {
      unsettled.getAndDecrement(chunkPlace(chunk * chunkBytes));
    }
  }

  /** Returns the position of a location in its region's present generation. */
  public long position(long location) {
    long offset = byteOffset(location);
    return generations.get((int) (offset / regionBytes)) * regionBytes + offset % regionBytes;
  }

  /** Returns the generation of a location's region. */
  long generation(long location) {
    return generations.get(region(location));
  }

  /** Returns the region that a location lies in. */
  public int region(long location) {
    return extentNumber(location);
  }

  /** Returns the length of the pieces that are written at once. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /** Returns where the next piece to be written begins. */
  public long flushed() {
    return flushed;
  }

  /** Returns whether the next piece can be written. */
  public boolean wantsFlush() {
    long from = flushed;
    return head >= from + chunkBytes && unsettled.get(chunkPlace(from)) == 0;
  }

  /** Returns the place on the medium of the next piece to be written. */
  long flushOffset() {
    long from = flushed;
    return mediumOffset(regionOf(from / regionBytes)) + from % regionBytes;
  }

  /** Returns the place on the medium of a region. */
  long mediumOffset(int region) {
    return RegionLayout.regionOffset(region, regionBytes);
  }

  /** The next piece is written, or nothing of it is in the index. Called by one thread. */
  public void passFlushed() {
    long from = flushed;
    flushed = from + chunkBytes;
  }

  /** The next piece could not be written, and nothing of it is in the index. */
  public void passDamaged() {
    free.damaged(regionOf(flushed / regionBytes));
    passFlushed();
  }

  /** Returns whether the block at a location has bytes in the next piece to be written. */
  public boolean isInNextFlush(long location) {
    long at = position(location);
    long from = flushed;
    return at < from + chunkBytes && at + spaceBytes(slotBytes(location)) > from;
  }

  /** Returns the length of a region. */
  public int regionBytes() {
    return regionBytes;
  }

  /** Returns how much of the piece that is written next has been appended: what blocks take. */
  public int pendingBytes() {
    long from = flushed;
    return (int) Math.max(0, Math.min(chunkBytes, contentEnd(from / regionBytes) - from));
  }

  /** Returns whether the piece that was written last was the end of its region. */
  public boolean hasFlushedRegion() {
    return flushed % regionBytes == 0;
  }

  /** Returns how many regions there are. */
  public int regions() {
    return regions;
  }

  /** Returns how many more regions should be free. */
  public int wantedRegions() {
    return free.wanted();
  }

  /** Returns whether more regions are free than should be. */
  public boolean hasRoomToSpare() {
    return wantedRegions() < 0;
  }

  /** Returns the generation of a region all of which is on the medium; else a negative number. */
  public long flushedGeneration(int region) {
    long its = generations.get(region);
    return (its + 1) * regionBytes <= flushed ? its : NO_GENERATION;
  }

  /** Has {@link #isDraining} say yes for a region, whose entries are about to go. */
  public void empty(int region) {
    emptying = region;
  }

  @Override
  public void damaged(long location) {
    free.damaged(region(location));
  }

  /**
   * Frees the region that was emptied: no entry of it is in the index. One that was damaged several
   * times is not used again, up to a part of the medium.
   */
  public synchronized void free(int region) {
    emptying = -1;
    generations.set(region, NO_GENERATION);
    free.addUsed(region);
  }

  /** Its space comes free with its region. */
  @Override
  public void release(long location, int lengthBytes) {
    usedBytes.addAndGet(-spaceBytes(lengthBytes));
  }

  @Override
  public void release(long location) {
    throw new UnsupportedOperationException("a region frees no slots");
  }

  @Override
  public boolean reusesSlots() {
    return false;
  }

  /** Never: pins are copies, which read the block as lookups do. */
  @Override
  public boolean pin(long location) {
    return false;
  }

  @Override
  public void unpin(long location) {
    throw new UnsupportedOperationException("a region has no pins");
  }

  @Override
  public boolean isUnpinned(long location) {
    return true;
  }

  @Override
  public boolean isTaken(long location) {
    return generation(location) >= 0;
  }

  @Override
  public boolean spares(long location, int lengthBytes) {
    return true;
  }

  @Override
  public boolean suits(long location, int lengthBytes) {
    return false;
  }

  @Override
  public long usedBytes() {
    return usedBytes.get();
  }

  @Override
  int shareBytes(long location) {
    return slotBytes(location);
  }

  /** Without the buffer, whose length does not depend on the blocks. */
  @Override
  public long metadataBytes() {
    return (long) regions * (2 * Long.BYTES + Integer.BYTES) + free.metadataBytes();
  }

  @Override
  public void starve(int lengthBytes) {}

  @Override
  public void starveForSpared(int lengthBytes) {}

  /** Regions are emptied by their own work. */
  @Override
  public boolean wantsDraining() {
    return false;
  }

  @Override
  public int beginDraining(Consumer<LongConsumer> movable) {
    return 0;
  }

  @Override
  public boolean isDraining(long location) {
    return region(location) == emptying;
  }

  @Override
  public void endDraining() {}
}
