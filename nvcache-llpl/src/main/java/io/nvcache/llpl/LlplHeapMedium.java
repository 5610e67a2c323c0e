// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.medium.CloseAction;
import io.nvcache.medium.Durability;
import io.nvcache.medium.MappedAccess;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.Claims;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Persistent memory through LLPL, Intel's allocator for it: few large chunks from a heap, never a
 * block each, because LLPL zeroes what it allocates, so that a block's bytes would be written
 * twice, and because each free writes to the medium, which is what cost the paper's cache its
 * advantage (SoCC '22, §3.2.3).
 *
 * <pre>
 *   medium   0           128 MiB       256 MiB      capacity
 *            |  chunk 0  |   chunk 1   |  chunk 2  |
 *                 |             |            '-- not allocated before its first use
 *   heap    ..[pad|  chunk 0  ]....[pad|   chunk 1   ]..
 *                 '-- on a page
 * </pre>
 *
 * <p>The first use of a chunk waits until it is zeroed, some tenths of a second on a slow medium.
 * Later ones take no lock: an address never changes once it is set.
 *
 * <p>Chunks come from one heap, or in turn from several, which may lie on several memories; each is
 * a file with all its bytes allocated on the disk, so that none can be missing later.
 *
 * <p>Heaps are volatile: created with the medium; deleted with it, and, where the process died, by
 * the next medium of the same path.
 */
public final class LlplHeapMedium implements Medium {
  private static final Logger LOG = LoggerFactory.getLogger(LlplHeapMedium.class);

  private static final int XPLINE_BYTES = HeapFile.XPLINE_BYTES;

  /** A multiple of every extent. Larger ones would leave more of libpmemobj's zones unused. */
  static final int CHUNK_SHIFT = 27;

  private final List<HeapSource> sources;
  private final long capacityBytes;
  private final int chunkShift;
  private final boolean dax;
  private final CloseAction atClose;

  /** By chunk; 0 where none is allocated. Set under the lock, read without. */
  private final AtomicLongArray addresses;

  private boolean retired;
  private boolean closed;

  LlplHeapMedium(
      List<HeapSource> sources, long capacityBytes, int chunkShift, CloseAction atClose) {
    this.sources = List.copyOf(sources);
    this.capacityBytes = capacityBytes;
    this.chunkShift = chunkShift;
    this.atClose = atClose;
    this.addresses = new AtomicLongArray(chunks(capacityBytes, chunkShift));
    this.dax = sources.stream().allMatch(source -> DaxProbe.isDax(source.directory()));
    if (!dax) {
      warnOfPageCache();
    }
  }

  /**
   * Overwrites and deletes what a killed process left at a path: a heap, or a directory's.
   *
   * @throws IOException if it is not a cache's, or a cache holds it; it is then still there
   */
  public static void wipe(Path path) throws IOException {
    PmemLibraries.require();
    if (!Files.isDirectory(path)) {
      HeapFile.wipeLeftover(path);
      return;
    }
    List<Path> heaps = HeapDirectory.heapsIn(path);
    if (heaps.isEmpty()) {
      throw new IOException("can't wipe " + path + ": there is no heap in this directory");
    }
    for (Path heap : heaps) {
      HeapFile.wipeLeftover(heap);
    }
  }

  static int chunks(long capacityBytes, int chunkShift) {
    return (int) ((capacityBytes - 1) >>> chunkShift) + 1;
  }

  /**
   * Creates a heap in a new file, or instead of one that a cache left behind. {@link #builder} can
   * do more.
   *
   * @param path a file in a directory that exists, best on a DAX file system
   * @param capacityBytes rounded down to whole lines of 256 bytes; the file is larger by 16 MiB and
   *     a sixty-fourth
   * @throws IllegalArgumentException if {@code capacityBytes} is less than one line
   * @throws LlplUnavailableException if LLPL can't work on this machine
   * @throws IOException if the directory is missing, its disk has no room, it may not be written
   *     to, or the path is held by a cache or is anything but a cache's heap
   */
  public static LlplHeapMedium create(Path path, long capacityBytes) throws IOException {
    return builder(capacityBytes).file(path).create();
  }

  /** Returns a builder for heaps on several memories, heaps that grow, and heaps that are wiped. */
  public static LlplHeapMediumBuilder builder(long capacityBytes) {
    return new LlplHeapMediumBuilder(capacityBytes);
  }

  private void warnOfPageCache() {
    String path = paths();
    LOG.warn(
        "{} is not on a DAX file system: it lies in the page cache, and what is written survives"
            + " the process but not the loss of power",
        path);
    if ("1".equals(System.getenv("PMEM_IS_PMEM_FORCE"))) {
      LOG.warn(
          "PMEM_IS_PMEM_FORCE=1 makes libpmemobj take {} for persistent memory, which it is not;"
              + " unset it unless this is a test",
          path);
    }
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return XPLINE_BYTES;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(dst.position(), length, dst.limit());
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    if (length == 0) {
      return;
    }
    int here = (int) Math.min(length, bytesToChunkEnd(offset));
    MappedAccess.of(addressOf(offset), here).read(0, dst, dst.position(), here);
    if (here < length) {
      read(offset + here, dst.duplicate().position(dst.position() + here), length - here);
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    if (length == 0) {
      return;
    }
    int here = (int) Math.min(length, bytesToChunkEnd(offset));
    MappedAccess.of(addressOf(offset), here).write(0, src, srcPosition, here);
    if (here < length) {
      write(offset + here, src, srcPosition + here, length - here);
    }
  }

  /**
   * Writes the CPU's caches back; where this is no DAX file system, the page cache has the rest.
   */
  @Override
  public void persist(long offset, long length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    for (long at = offset; at < offset + length; ) {
      long here = Math.min(offset + length - at, bytesToChunkEnd(at));
      if (addresses.get(chunkOf(at)) != 0) {
        HeapAccess.flush(addressOf(at), here);
      }
      at += here;
    }
  }

  /** Returns the address of a range within one chunk, which is allocated now if it was not yet. */
  @Override
  public long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    if (length == 0 || length > bytesToChunkEnd(offset)) {
      return 0;
    }
    try {
      return addressOf(offset);
    } catch (IOException e) {
      return 0; // Reads and writes will say why.
    }
  }

  private int chunkOf(long offset) {
    return (int) (offset >>> chunkShift);
  }

  private long bytesToChunkEnd(long offset) {
    return ((chunkOf(offset) + 1L) << chunkShift) - offset;
  }

  private long addressOf(long offset) throws IOException {
    int chunk = chunkOf(offset);
    long address = addresses.get(chunk);
    if (address == 0) {
      address = allocate(chunk);
    }
    return address + (offset - ((long) chunk << chunkShift));
  }

  private synchronized long allocate(int chunk) throws IOException {
    if (closed) {
      throw new IllegalStateException("the medium " + paths() + " is closed");
    }
    long address = addresses.get(chunk);
    if (address != 0) {
      return address;
    }
    address = sources.get(chunk % sources.size()).allocate(chunkBytes(chunk));
    addresses.set(chunk, address);
    return address;
  }

  private String paths() {
    return sources.stream()
        .map(source -> source.path().toString())
        .collect(Collectors.joining(" and "));
  }

  @Override
  public Durability durability() {
    return dax ? Durability.POWER_FAIL : Durability.PROCESS_CRASH;
  }

  @Override
  public WriteCost writeCost() {
    return dax ? WriteCost.OPTANE : WriteCost.FREE_REMOVALS;
  }

  @Override
  public String describe() {
    return "LLPL heap "
        + paths()
        + (dax ? ", persistent memory, " : ", not on DAX, ")
        + capacityBytes
        + " bytes";
  }

  /** Wipes the heaps in place, if that was asked for. They stay mapped. */
  @Override
  public synchronized void retire() {
    if (retired) {
      return;
    }
    retired = true;
    if (atClose == CloseAction.WIPE) {
      wipe();
    }
  }

  /** Unmaps the heaps and deletes their files: cached blocks are not left lying about. */
  @Override
  public synchronized void close() {
    Claims.requireNotHeld(this);
    if (closed) {
      return;
    }
    closed = true;
    retire();
    // A caller that is too late gets an exception instead of ending the JVM.
    for (int i = 0; i < addresses.length(); i++) {
      addresses.set(i, 0);
    }
    for (HeapSource source : sources) {
      try {
        source.delete();
      } catch (IOException e) {
        LOG.warn("can't delete {}; the next cache of this path will", source.path(), e);
      }
    }
  }

  /** In place and before the file loses its name, so that a crash leaves nothing unnoticed. */
  private void wipe() {
    for (int chunk = 0; chunk < addresses.length(); chunk++) {
      long address = addresses.get(chunk);
      if (address != 0) {
        MappedAccess.of(address, chunkBytes(chunk)).clear(0, chunkBytes(chunk));
        HeapAccess.flush(address, chunkBytes(chunk));
      }
    }
    for (HeapSource source : sources) {
      try {
        source.force();
      } catch (IOException e) {
        LOG.warn("can't wipe {}: cached blocks may remain on its disk", source.path(), e);
      }
    }
  }

  private long chunkBytes(int chunk) {
    return Math.min(1L << chunkShift, capacityBytes - ((long) chunk << chunkShift));
  }
}
