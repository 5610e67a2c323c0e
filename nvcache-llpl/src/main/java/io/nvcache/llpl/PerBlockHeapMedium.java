// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import io.nvcache.medium.Durability;
import io.nvcache.medium.MappedAccess;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.Claims;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of the paper's cache, for measuring what it costs: each block is its own allocation in
 * the persistent heap (SoCC '22, §3.1), so that inserting writes its bytes twice, because LLPL
 * zeroes them first, and freeing it writes as well. Use {@link LlplHeapMedium} for anything else.
 *
 * <p>The engine knows places, not allocations. So the place that a block is written to, counted in
 * lines of 256 bytes, leads to its allocation; and the allocations of earlier blocks are freed when
 * their place is written to again. That is one free for each insert into a full cache, as in the
 * paper; that it comes later than the removal changes nothing in the sum.
 *
 * <pre>
 *   place         0      1      2      3      4
 *   allocations   |  a   |      |      |  b   |
 *                    '--> block in the heap
 * </pre>
 *
 * <p>For blocks of few sizes: with many, libpmemobj's heap finds no room long before it is full,
 * and writes fail.
 *
 * <p><b>Threads.</b> As the engine's: no two writes, and no write and useful read, overlap. A read
 * in vain may find an allocation that is being freed: its bytes stay mapped.
 */
public final class PerBlockHeapMedium implements Medium {
  private static final Logger LOG = LoggerFactory.getLogger(PerBlockHeapMedium.class);
  private static final int LINE_BYTES = HeapFile.XPLINE_BYTES;

  /** What rounding to sizes may add, and libpmemobj's own. */
  private static final int ROUNDING_PART = 2;

  /**
   * Freeing dirties one line (docs/decide/medium.md); the paper counts it as much as an insert
   * (§3.2.3).
   */
  private static final WriteCost WRITE_COST = new WriteCost(1, Integer.MAX_VALUE, 0);

  private final HeapFile file;
  private final long capacityBytes;
  private final boolean dax;
  private volatile boolean closed;

  /** By line of the place: the block that begins there. */
  private final AtomicReferenceArray<@Nullable Allocation> allocations;

  /** Where a block is; known without asking the heap, which forgets it when it is freed. */
  private record Allocation(MemoryBlock block, long address, int lengthBytes) {}

  private PerBlockHeapMedium(
      HeapFile file, long capacityBytes, AtomicReferenceArray<@Nullable Allocation> allocations) {
    this.file = file;
    this.capacityBytes = capacityBytes;
    this.dax = DaxProbe.isDax(file.directory());
    this.allocations = allocations;
  }

  /**
   * Creates a heap in a new file, or instead of one that a cache left behind.
   *
   * @param capacityBytes rounded down to whole lines of 256 bytes, at most 512 GiB
   * @throws IOException as {@link LlplHeapMedium#create}
   */
  public static PerBlockHeapMedium create(Path path, long capacityBytes) throws IOException {
    long wholeLines = capacityBytes & -LINE_BYTES;
    if (wholeLines <= 0 || wholeLines / LINE_BYTES > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "capacityBytes is " + capacityBytes + "; it must be between 256 and 512 GiB");
    }
    PmemLibraries.require();
    long heapBytes = HeapFile.lengthFor(wholeLines + wholeLines / ROUNDING_PART);
    // First: without memory for it, there must not be a heap without an owner to close it.
    AtomicReferenceArray<@Nullable Allocation> allocations =
        new AtomicReferenceArray<>(Math.toIntExact(wholeLines / LINE_BYTES));
    return new PerBlockHeapMedium(HeapFile.create(path, heapBytes), wholeLines, allocations);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return LINE_BYTES;
  }

  /** Reads from the block that begins at the offset, which must be as long. */
  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(dst.position(), length, dst.limit());
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    requireOpen();
    Allocation allocation = allocations.get(line(offset));
    if (allocation == null || length > allocation.lengthBytes()) {
      throw new IOException("no block of " + length + " bytes begins at " + offset);
    }
    MappedAccess.of(allocation.address(), length).read(0, dst, dst.position(), length);
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    if (length == 0) {
      return;
    }
    requireOpen();
    free(offset, length);
    try {
      MemoryBlock block = file.heap().allocateMemoryBlock(rounded(length));
      long address = HeapAccess.address(block);
      MappedAccess.of(address, length).write(0, src, srcPosition, length);
      allocations.set(line(offset), new Allocation(block, address, length));
    } catch (HeapException e) {
      throw new IOException(
          "can't allocate " + length + " bytes in the heap " + file.path() + ": " + e, e);
    }
  }

  /**
   * To one of four sizes a doubling: LLPL makes an allocation class of every size it sees, and each
   * takes its own room.
   */
  private static long rounded(int length) {
    int step = Math.max(LINE_BYTES, Integer.highestOneBit(length) / 4);
    return ((long) length + step - 1) / step * step;
  }

  Heap heap() {
    return file.heap();
  }

  /** Frees the blocks that begin within a range. */
  void free(long offset, int length) {
    int end = line(offset + length - 1);
    for (int line = line(offset); line <= end; line++) {
      Allocation allocation = allocations.get(line);
      if (allocation != null) {
        allocations.set(line, null);
        allocation.block().freeMemory();
      }
    }
  }

  private static int line(long offset) {
    return (int) (offset / LINE_BYTES);
  }

  @Override
  public void persist(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    requireOpen();
    Allocation allocation = length == 0 ? null : allocations.get(line(offset));
    if (allocation != null) {
      HeapAccess.flush(allocation.address(), Math.min(length, allocation.lengthBytes()));
    }
  }

  @Override
  public long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    return 0; // Neighbouring places are not neighbours in the heap.
  }

  @Override
  public Durability durability() {
    return dax ? Durability.POWER_FAIL : Durability.PROCESS_CRASH;
  }

  @Override
  public WriteCost writeCost() {
    return WRITE_COST;
  }

  @Override
  public String describe() {
    return "LLPL heap " + file.path() + ", an allocation a block, " + capacityBytes + " bytes";
  }

  /** The heap is unmapped with the medium, and its addresses lead nowhere then. */
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the medium " + file.path() + " is closed; make a new one");
    }
  }

  /** Unmaps the heap and deletes its file. */
  @Override
  public synchronized void close() {
    Claims.requireNotHeld(this);
    if (closed) {
      return;
    }
    closed = true;
    try {
      file.delete();
    } catch (IOException e) {
      LOG.warn("can't delete {}; the next cache of this path will", file.path(), e);
    }
  }
}
