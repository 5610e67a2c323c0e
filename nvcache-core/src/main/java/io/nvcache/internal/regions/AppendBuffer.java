// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.RawMemory;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The end of a log in DRAM: a ring of bytes, in which each position of the log has its place until
 * a later one takes it.
 *
 * <p><b>Invariant.</b> The ring holds the bytes from its oldest position on, as far as they were
 * written. That position is raised, and the raise made visible, before the bytes below it are
 * overwritten. So who finds a position held before <em>and</em> after a copy has copied what was
 * written there, and not what came after it. No bucket of the index changes with a raise: this
 * check alone keeps a reader from another block's bytes.
 *
 * <p>Blocks that fill pages have no room for a header. What would be in one lies apart: {@link
 * RegionLayout#BLOCK_HEADER_BYTES} for each page of the ring, under the same invariant.
 *
 * <p>Its memory goes when it is closed, or else by the garbage collector.
 */
public final class AppendBuffer implements AutoCloseable {
  private final AlignedBuffer memory;
  private final AlignedBuffer pageHeaders;
  private final int sizeBytes;
  private volatile long oldest;

  /**
   * Allocates a buffer.
   *
   * @param sizeBytes a power of two
   */
  public AppendBuffer(int sizeBytes, int alignmentBytes) {
    this.sizeBytes = sizeBytes;
    this.memory = allocate(sizeBytes, alignmentBytes);
    this.pageHeaders = allocate(headersBytes(), Long.BYTES);
  }

  /** An Error would end threads and servers over a number that an operator has to lower. */
  private static AlignedBuffer allocate(int sizeBytes, int alignmentBytes) {
    try {
      return AlignedBuffer.allocate(sizeBytes, alignmentBytes);
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          sizeBytes
              + " bytes of native memory were asked for, for blocks on their way to the medium,"
              + " and the system refused; lower the cache's capacity, of which they are 1/32 at"
              + " most, or give the process more memory",
          e);
    }
  }

  private int headersBytes() {
    return sizeBytes / RegionLayout.PAGE_BYTES * RegionLayout.BLOCK_HEADER_BYTES;
  }

  /** Frees the memory, which no thread reads any more. */
  @Override
  public void close() {
    memory.free();
    pageHeaders.free();
  }

  /** Returns what all of it takes. */
  int memoryBytes() {
    return sizeBytes + headersBytes();
  }

  int sizeBytes() {
    return sizeBytes;
  }

  AlignedBuffer memory() {
    return memory;
  }

  /** Returns where the headers of blocks lie that fill pages. */
  AlignedBuffer pageHeaders() {
    return pageHeaders;
  }

  /** Returns where among them the header of the block lies that begins with a page. */
  int headerPlace(long position) {
    return place(position) / RegionLayout.PAGE_BYTES * RegionLayout.BLOCK_HEADER_BYTES;
  }

  /** Takes a place for a block with a header that is yet to come, or leaves it empty. */
  void putPlace(long position, long stamp, int lengthBytes) {
    RegionLayout.putPlace(memory, place(position), stamp, lengthBytes);
  }

  /** Takes a place for a block that fills pages and is yet to come. */
  void putPages(long position, long stamp, int lengthBytes, long granule) {
    int at = headerPlace(position);
    RegionLayout.putPlace(pageHeaders, at, stamp, lengthBytes);
    RegionLayout.putGranule(pageHeaders, at, granule);
  }

  /** Returns whether a block that fills pages has its place here; nothing else has its granule. */
  boolean beginsPages(long position, long stamp, long granule) {
    return position % RegionLayout.PAGE_BYTES == 0
        && RegionLayout.isPlace(pageHeaders, headerPlace(position), stamp, granule);
  }

  /** Holds nothing of what lies before a position; before any is used. */
  void begin(long position) {
    oldest = position;
  }

  /** Returns where a position lies in the memory. */
  int place(long position) {
    return (int) position & (sizeBytes - 1);
  }

  /**
   * Makes room up to a position: gives up what its bytes will overwrite. Called by one thread at a
   * time, before the bytes are copied in.
   *
   * @param kept what must not be given up, from this position on
   * @return false if that is in the way
   */
  public boolean makeRoom(long end, long kept) {
    long lowest = end - sizeBytes;
    if (lowest > kept) {
      return false;
    }
    if (lowest > oldest) {
      oldest = lowest;
      // No byte that is copied in next, by whichever thread, may be seen before this.
      VarHandle.fullFence();
    }
    return true;
  }

  /** Copies bytes of {@code src} from {@code from} on to a position. */
  public void copyIn(long position, ByteBuffer src, int from, int lengthBytes) {
    int place = place(position);
    int first = Math.min(lengthBytes, sizeBytes - place);
    memory.copyIn(src, from, place, first);
    memory.copyIn(src, from + first, 0, lengthBytes - first);
  }

  /**
   * Copies bytes to {@code dst} from {@code to} on, if they were held until they were copied.
   *
   * @param position of the block that they belong to
   * @param skip where in the block to begin
   */
  public boolean copyOut(long position, int skip, ByteBuffer dst, int to, int lengthBytes) {
    if (!holds(position)) {
      return false;
    }
    copy(position + skip, dst, to, lengthBytes);
    return stillHolds(position);
  }

  private void copy(long position, ByteBuffer dst, int to, int lengthBytes) {
    int place = place(position);
    int first = Math.min(lengthBytes, sizeBytes - place);
    memory.copyOut(place, dst, to, first);
    memory.copyOut(0, dst, to + first, lengthBytes - first);
  }

  /** Returns whether the bytes at a position are held now. */
  boolean holds(long position) {
    return position >= oldest;
  }

  private boolean stillHolds(long position) {
    RawMemory.loadFence();
    return holds(position);
  }
}
