// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.BitSet;

/**
 * A sequence of requests for blocks, in memory at nine bytes a record. Blocks are numbered from 0
 * by first appearance; where each lies in its file is kept separately, so that neighbours stay
 * neighbours.
 */
public final class Trace {
  /** Blocks are this far apart in their file. */
  /** From one block to its neighbour, whatever their lengths. */
  public static final long BLOCK_DISTANCE_BYTES = 4096;

  /**
   * A trace is about one file, unless files are rewritten in it: then so many numbers are of one.
   */
  static final int BLOCKS_OF_FILE_BITS = 20;

  private final byte[] ops;
  private final int[] blocks;
  private final int[] sizes;
  private final int records;
  private final long[] places;
  private final int[] largestSizes;
  private final long lookups;
  private final long footprintBytes;

  Trace(byte[] ops, int[] blocks, int[] sizes, int records, long[] places, int[] largestSizes) {
    this.ops = ops;
    this.blocks = blocks;
    this.sizes = sizes;
    this.records = records;
    this.places = places;
    this.largestSizes = largestSizes;
    this.lookups = countLookups();
    this.footprintBytes = measureFootprint();
  }

  private long countLookups() {
    long count = 0;
    for (int i = 0; i < records; i++) {
      count += op(i).isLookup() ? 1 : 0;
    }
    return count;
  }

  /**
   * The most bytes that live at a time. A block lives from the write or rewrite that makes it, or
   * from the start if it is read or freed first, until it is freed.
   */
  private long measureFootprint() {
    BitSet alive = new BitSet(places.length);
    BitSet seen = new BitSet(places.length);
    long bytes = 0;
    for (int i = 0; i < records; i++) {
      if (!seen.get(blocks[i]) && op(i) != TraceOp.WRITE && op(i) != TraceOp.REWRITE_WROTE) {
        alive.set(blocks[i]);
        bytes += largestSizes[blocks[i]];
      }
      seen.set(blocks[i]);
    }
    long most = bytes;
    for (int i = 0; i < records; i++) {
      int block = blocks[i];
      if (alive.get(block) == (op(i) == TraceOp.FREE)) {
        alive.flip(block);
        bytes += alive.get(block) ? largestSizes[block] : -largestSizes[block];
        most = Math.max(most, bytes);
      }
    }
    return most;
  }

  /** How many records there are. */
  public int records() {
    return records;
  }

  /** How many of them are lookups. */
  public long lookups() {
    return lookups;
  }

  /** How many different blocks there are. */
  public int blocks() {
    return places.length;
  }

  /** Bytes of the data set at its largest: of all blocks, unless some are freed. */
  public long footprintBytes() {
    return footprintBytes;
  }

  /** What a record says. */
  public TraceOp op(int index) {
    return TraceOp.of(ops[index]);
  }

  /** The block that a record is about, from 0 to {@link #blocks} − 1. */
  public int block(int index) {
    return blocks[index];
  }

  /** The block's length as the record has it; 0 where a record frees a block. */
  public int sizeBytes(int index) {
    return sizes[index];
  }

  /** The largest size that a block ever has. */
  public int largestSizeBytes(int block) {
    return largestSizes[block];
  }

  /** The number that the source of the trace gave to a block. */
  public long place(int block) {
    return places[block];
  }

  /** Whether all those numbers are less than a bound. */
  boolean placesFit(long bound) {
    for (long place : places) {
      if (place >= bound) {
        return false;
      }
    }
    return true;
  }

  /** Where a block lies in the file. */
  public long offset(int block) {
    return places[block] * BLOCK_DISTANCE_BYTES;
  }

  /** Which file a block is in where files are rewritten, from 0. */
  public long file(int block) {
    return places[block] >>> BLOCKS_OF_FILE_BITS;
  }

  /** Where it lies in that file. */
  public long offsetInFile(int block) {
    return (places[block] & ((1L << BLOCKS_OF_FILE_BITS) - 1)) * BLOCK_DISTANCE_BYTES;
  }

  /** The largest of all blocks; 1 if there are none. */
  public int largestSizeBytes() {
    int largest = 1;
    for (int size : largestSizes) {
      largest = Math.max(largest, size);
    }
    return largest;
  }

  /** The smallest of all blocks, each at its largest; at least 1. */
  public int smallestSizeBytes() {
    int smallest = Integer.MAX_VALUE;
    for (int size : largestSizes) {
      smallest = Math.min(smallest, Math.max(1, size));
    }
    return smallest;
  }

  /** The mean over all blocks, each at its largest; 1 if there are none. */
  public long meanBlockBytes() {
    long bytes = 0;
    for (int size : largestSizes) {
      bytes += size;
    }
    return Math.max(1, bytes / Math.max(1, places.length));
  }

  /** The same without the records of rewrites. */
  public Trace withoutRewrites() {
    BitSet kept = new BitSet(records);
    for (int i = 0; i < records; i++) {
      kept.set(i, !op(i).isOfRewrite());
    }
    return kept.cardinality() == records ? this : select(kept);
  }

  /** Whether files are rewritten in it. */
  public boolean hasRewrites() {
    for (int i = 0; i < records; i++) {
      if (op(i).isOfRewrite()) {
        return true;
      }
    }
    return false;
  }

  /** A trace of the same blocks with some of the records only. */
  public Trace select(BitSet kept) {
    int count = kept.cardinality();
    byte[] keptOps = new byte[count];
    int[] keptBlocks = new int[count];
    int[] keptSizes = new int[count];
    int to = 0;
    for (int from = kept.nextSetBit(0); from >= 0; from = kept.nextSetBit(from + 1)) {
      keptOps[to] = ops[from];
      keptBlocks[to] = blocks[from];
      keptSizes[to++] = sizes[from];
    }
    return new Trace(keptOps, keptBlocks, keptSizes, count, places, largestSizes);
  }
}
