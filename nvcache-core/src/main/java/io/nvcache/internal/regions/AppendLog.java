// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.BlockStore;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.Sizing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/**
 * Appends blocks to regions of the medium, one region after the other, and gives a region to new
 * blocks only when all of it is free. The format is drawn in {@link RegionLayout}.
 *
 * <p><b>The log.</b> All regions ever filled, in the order of their <em>generations</em>, are one
 * sequence of bytes. These are its coordinates; all but the last two are bytes:
 *
 * <pre>
 *   position    of a byte in the log: generation * regionBytes + place in the region.
 *               Positions only grow, and none comes twice.
 *   place       of a byte in the buffer: position modulo the buffer's length
 *   offset      of a byte among the regions of the medium: region * regionBytes + place in it
 *   granule     of the medium, which a block begins with: offset / granuleBytes
 *   location    of a block: granule, and above it how many times 64 KiB hold the block; sixteen
 *               bits of slack then make its length exact
 *
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
 *       it, or begins or ends in it, is {@linkplain #committed committed}: in the index, or given
 *       up. All that will ever be in the index of a chunk is therefore there when the chunk is
 *       flushed.
 * </ul>
 *
 * <p><b>Locking.</b> The monitor is taken to append. Readers take none.
 */
public final class AppendLog {
  private static final int CUT_SHIFT = 16;

  /** The length of the buffer where there is memory: 16 chunks of the usual size. */
  private static final int USUAL_BUFFER_BYTES = 16 << 20;

  private static final int MAX_CHUNK_BYTES = 1 << 20;
  private static final int LEAST_CHUNKS = 4;
  private static final int CAPACITIES_PER_BUFFER = 32;

  private final RegionTable table;
  private final LocationCodec locations;
  private final int locationShift;
  private final int regionBytes;
  private final int chunkBytes;
  private final AppendBuffer buffer;

  /** The regions of the generations that may not be flushed yet. */
  private final AtomicIntegerArray recentRegions;

  /** The ends in the log of the generations that may not be flushed yet. */
  private final AtomicLongArray recentEnds;

  /** Drawn by the cache; see {@link RegionLayout#stamp}. */
  private final UUID instance;

  private final RegionCodec codec;

  private final BlockRoom room;

  /** Blocks that are not committed, by chunk of the buffer. */
  private final AtomicIntegerArray uncommitted;

  /** The block that last reached into a chunk of the buffer from before it. Under the monitor. */
  private final long[] reachingIn;

  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * The generation that is filled; the first of all begins with the next one. Under the monitor.
   */
  private long generation = RegionTable.NO_GENERATION;

  /** Blocks in the region that is filled. Under the monitor. */
  private int blocks;

  /** Where the last block ends: the head, or before it where a region was closed. */
  private long contentEnd;

  private volatile long head;
  private volatile long flushed;

  /**
   * Begins a log in regions that are all free.
   *
   * @param instance of the cache
   * @param codec seals the regions, or does not
   */
  public AppendLog(
      RegionTable table, Sizing sizing, int alignmentBytes, UUID instance, RegionCodec codec) {
    this.table = table;
    this.regionBytes = table.regionBytes();
    long granules = (long) table.count() * (regionBytes / sizing.granuleBytes());
    this.locationShift = Long.SIZE - Long.numberOfLeadingZeros(granules - 1);
    this.locations =
        new LocationCodec(
            sizing,
            (long) table.count() * regionBytes,
            cuts(sizing.maxBlockBytes()),
            locationShift,
            (1L << locationShift) - 1);
    this.chunkBytes = Math.min(MAX_CHUNK_BYTES, regionBytes);
    this.buffer = new AppendBuffer(bufferBytes(sizing), alignmentBytes);
    this.recentRegions = new AtomicIntegerArray(buffer.sizeBytes() / regionBytes + 3);
    this.recentEnds = new AtomicLongArray(recentRegions.length());
    this.instance = instance;
    this.codec = codec;
    this.room = new BlockRoom(sizing.granuleBytes(), codec.readsPagesAsTheyAre());
    this.uncommitted = new AtomicIntegerArray(buffer.sizeBytes() / chunkBytes);
    this.reachingIn = new long[uncommitted.length()];
    Arrays.fill(reachingIn, Long.MIN_VALUE);
  }

  /** The lengths that a location's high bits represent. */
  private static int[] cuts(int maxBlockBytes) {
    int[] cuts = new int[((maxBlockBytes - 1) >>> CUT_SHIFT) + 1];
    Arrays.setAll(cuts, i -> (i + 1) << CUT_SHIFT);
    return cuts;
  }

  private int bufferBytes(Sizing sizing) {
    long least =
        Math.max(
            (long) LEAST_CHUNKS * chunkBytes,
            4L * Integer.highestOneBit(2 * sizing.maxBlockBytes() - 1));
    long wanted = Long.highestOneBit(sizing.capacityBytes() / CAPACITIES_PER_BUFFER);
    return (int) Math.max(least, Math.min(USUAL_BUFFER_BYTES, wanted));
  }

  /** Returns the regions that the log fills. */
  public RegionTable table() {
    return table;
  }

  /** Returns what reads locations. */
  public LocationCodec locations() {
    return locations;
  }

  AppendBuffer buffer() {
    return buffer;
  }

  /**
   * Takes a place for a block, to be {@linkplain #committed committed} with the same length.
   *
   * @return the location, {@link BlockStore#NO_SPACE} or {@link BlockStore#BUSY}
   */
  public synchronized long append(int lengthBytes) {
    long at = room.placeOf(head, lengthBytes);
    long regionEnd = (generation + 1) * regionBytes;
    int footer = RegionLayout.footerBytes(blocks + 1);
    boolean opens = at + room.bytes(at, lengthBytes) > regionEnd - footer;
    if (opens) {
      if (table.isFull()) {
        return BlockStore.NO_SPACE;
      }
      at = regionEnd + RegionLayout.firstBlockAt(locations.granuleBytes());
    }
    int space = room.bytes(at, lengthBytes);
    long end = at + space;
    if (!buffer.makeRoom(end, kept(flushed))) {
      if (opens && end - buffer.sizeBytes() > kept(head & -chunkBytes)) {
        // No flush up to the head makes this room: the rest of the region, left to a footer of
        // many small blocks, is longer than the buffer. It is passed without being written.
        head = regionEnd;
      }
      return BlockStore.BUSY;
    }
    long its = generation + 1;
    if (opens && !table.open(its, region -> begin(region, its))) {
      return BlockStore.NO_SPACE; // The last one has just gone out of use.
    }
    if (!opens && at > head) {
      int emptyBytes = (int) (at - head) - RegionLayout.BLOCK_HEADER_BYTES;
      buffer.putPlace(head, stamp(generation), emptyBytes);
    }
    blocks++;
    if (room.isPages(at, lengthBytes)) {
      buffer.putPages(at, stamp(generation), lengthBytes, granuleAt(at));
    } else {
      buffer.putPlace(at, stamp(generation), lengthBytes);
    }
    for (long chunk = at / chunkBytes; chunk <= (end - 1) / chunkBytes; chunk++) {
      uncommitted.getAndIncrement(chunkPlace(chunk * chunkBytes));
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
  private synchronized void begin(int region, long its) {
    RegionLayout.putRegionHeader(
        buffer.memory().whole(),
        buffer.place(its * regionBytes),
        instance,
        region,
        its,
        regionBytes,
        codec);
    if (generation >= 0) {
      recentEnds.set(recent(generation), contentEnd);
    }
    generation = its;
    blocks = 0;
    recentRegions.set(recent(its), region);
  }

  /** Returns the header, with zeros behind it, of a region of which nothing is flushed yet. */
  public ByteBuffer header(long unflushedGeneration) {
    ByteBuffer header = ByteBuffer.allocate(RegionLayout.REGION_HEADER_BYTES);
    int place = buffer.place(unflushedGeneration * regionBytes);
    return header.put(0, buffer.memory().whole(), place, RegionLayout.HEADER_USED_BYTES);
  }

  private int recent(long aGeneration) {
    return (int) (aGeneration % recentRegions.length());
  }

  /**
   * Ends the wait for a {@linkplain RegionTable#beginRestore restore}: begins the log with a
   * generation above all that were adopted. If it finds no memory, nothing has changed, and it may
   * be called again.
   *
   * @param blanks the regions without blocks of an earlier cache
   */
  public synchronized void endRestore(long first, BitSet blanks) {
    table.freeOthers(first, blanks);
    generation = first - 1;
    buffer.begin(first * regionBytes);
    flushed = first * regionBytes;
    head = first * regionBytes;
    contentEnd = head;
    table.endRestore();
  }

  /**
   * Ends the region that is filled, if it is one of those: what is left of it is passed without
   * being written, and the next block opens another one.
   */
  synchronized void leaveRegion(IntPredicate which) {
    if (generation >= 0 && which.test(regionOf(generation))) {
      head = Math.max(head, (generation + 1) * regionBytes);
    }
  }

  /** Returns the generation of the region that is filled. */
  public synchronized long headGeneration() {
    return generation;
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
    return locationOf(granuleAt(position), lengthBytes);
  }

  long granuleAt(long position) {
    int region = regionOf(position / regionBytes);
    return ((long) region * regionBytes + position % regionBytes) / locations.granuleBytes();
  }

  /** Returns the location of a block that begins with a granule. */
  public long locationOf(long granule, int lengthBytes) {
    int cut = (lengthBytes - 1) >>> CUT_SHIFT;
    return (long) cut << locationShift | granule;
  }

  /** Returns the region of a generation that may not be flushed yet. */
  public int regionOf(long recentGeneration) {
    return recentRegions.get(recent(recentGeneration));
  }

  private int chunkPlace(long position) {
    return buffer.place(position) / chunkBytes;
  }

  /** Returns whether the block at a location fills pages, and has no header. */
  boolean isPages(long location, int lengthBytes) {
    return room.isPages(locations.byteOffset(location), lengthBytes);
  }

  /** Returns what a block of this length takes, where it begins with a page if it fills pages. */
  public int usualSpaceBytes(int lengthBytes) {
    return room.bytes(0, lengthBytes);
  }

  /** Returns what the block at a location takes, with its header if it has one. */
  public int spaceBytes(long location, int lengthBytes) {
    return room.bytes(locations.byteOffset(location), lengthBytes);
  }

  BlockRoom room() {
    return room;
  }

  /** A block that was appended is in the index now, or never will be. */
  public void committed(long location, int lengthBytes) {
    long at = position(location);
    long end = at + room.bytes(at, lengthBytes);
    for (long chunk = at / chunkBytes; chunk <= (end - 1) / chunkBytes; chunk++) {
      uncommitted.getAndDecrement(chunkPlace(chunk * chunkBytes));
    }
  }

  /** Counts a block that came into the index in a region that was adopted. */
  public void restored(long location, int lengthBytes) {
    usedBytes.addAndGet(spaceBytes(location, lengthBytes));
  }

  /** Counts a block out whose entry is gone; its place comes free with its region. */
  public void release(long location, int lengthBytes) {
    usedBytes.addAndGet(-spaceBytes(location, lengthBytes));
  }

  /** Returns the bytes that blocks take whose entries are not gone. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Returns the position of a location in its region's present generation. */
  public long position(long location) {
    long offset = locations.byteOffset(location);
    return table.generation((int) (offset / regionBytes)) * regionBytes + offset % regionBytes;
  }

  /** Returns the region that a location lies in. */
  public int region(long location) {
    return locations.extentNumber(location);
  }

  /** Returns the generation of a location's region. */
  public long generation(long location) {
    return table.generation(region(location));
  }

  /** Returns the length of the pieces that are written at once. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /** Returns where the next piece to be written begins. */
  public long flushed() {
    return flushed;
  }

  /** Returns the generation of the region that the next piece belongs to. */
  public long flushGeneration() {
    return flushed / regionBytes;
  }

  /** Returns whether the next piece can be written. */
  public boolean wantsFlush() {
    long from = flushed;
    return head >= from + chunkBytes && uncommitted.get(chunkPlace(from)) == 0;
  }

  /** Returns the place on the medium of the next piece to be written. */
  long flushOffset() {
    long from = flushed;
    return table.mediumOffset(regionOf(from / regionBytes)) + from % regionBytes;
  }

  /** The next piece is written, or nothing of it is in the index. Called by one thread. */
  public void passFlushed() {
    long from = flushed;
    flushed = from + chunkBytes;
  }

  /** The next piece could not be written, and nothing of it is in the index. */
  public void passDamaged() {
    table.damaged(regionOf(flushGeneration()));
    passFlushed();
  }

  /** Returns whether the block at a location has bytes in the next piece to be written. */
  public boolean isInNextFlush(long location) {
    long at = position(location);
    long from = flushed;
    int most = room.mostBytes(locations.slotBytes(location));
    return at < from + chunkBytes && at + most > from;
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

  /** Returns the generation of a region all of which is on the medium; else a negative number. */
  public long flushedGeneration(int region) {
    long its = table.generation(region);
    return (its + 1) * regionBytes <= flushed ? its : RegionTable.NO_GENERATION;
  }
}
