// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.medium.file.DirectFile;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferPool;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.BufferView;
import io.nvcache.memory.Claims;
import io.nvcache.memory.LendingPool;
import io.nvcache.memory.MemoryAccess;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A file on a local SSD, or the SSD itself as a block device, read and written past the page cache:
 * for caches larger than memory. A {@linkplain MappedFileMedium mapped file} of that size costs
 * several times the processor time a read, and holds all threads of the JVM up while pages come in.
 *
 * <p>A file is made as long as the capacity and a granule, and filled by direct writes, never
 * sparse; one that an earlier cache of the same capacity left is not filled again. A file or a
 * block device is taken only if it is blank or an earlier cache's, unless {@link
 * ForeignFile#OVERWRITTEN} was asked for. No other process and no other cache can have it as long
 * as the medium is open. A cache in regions finds there what an earlier one left ({@link
 * io.nvcache.Restart}); otherwise it is overwritten. When the medium is closed they stay, with the
 * bytes of the cached blocks in them, a file readable to its owner only, unless another {@link
 * CloseAction} was chosen. A device is never deleted.
 *
 * <p>The granule is the file system's block, mostly 4096 bytes. Writes begin at a multiple of it
 * and take whole granules: what lies behind a block's end in its last granule is overwritten. Reads
 * may begin anywhere and take the granules that the bytes lie in. Both go through pooled buffers of
 * native memory, of up to {@value #BUFFER_BYTES} bytes for each thread that is inside at once; none
 * of it is bounded by {@code -XX:MaxDirectMemorySize}.
 *
 * <p>Interrupts do no harm. A thread in a read or write that the drive does not answer stays there.
 */
public final class FlashMedium implements Medium {
  /** No file system has longer files. */
  private static final long MAX_BYTES = 1L << 60;

  /** A multiple of every granule. Longer blocks are read and written piece by piece. */
  static final int BUFFER_BYTES = 256 << 10;

  /** A large multiple of what drives erase at once, as far as they say. */
  private static final int REGION_BYTES = 64 << 20;

  /** More writers than a drive writes side by side would only delay the readers. */
  private static final int MAX_WRITERS = 4;

  private final DirectFile file;
  private final long capacityBytes;
  private final int granuleBytes;
  private final CloseAction atClose;
  private final BufferPool<AlignedBuffer> buffers;
  private final LendingPool<BufferView> views = new LendingPool<>(BufferView::new);

  private boolean retired;
  private boolean abandoned;
  private boolean closed;

  private FlashMedium(DirectFile file, long capacityBytes, CloseAction atClose) {
    this.file = file;
    this.capacityBytes = capacityBytes;
    this.granuleBytes = file.granuleBytes();
    this.atClose = atClose;
    this.buffers =
        BufferPool.ofBuffers(BUFFER_BYTES, granuleBytes, BufferPool.usualLimitBytes(BUFFER_BYTES));
  }

  /**
   * Creates the file, or takes an existing one or a block device over.
   *
   * @throws IllegalArgumentException if {@code capacityBytes} is not between 1 and 2^60
   * @throws IllegalStateException if the JVM denies access to memory; names the flag
   * @throws IOException if the directory is missing, the file can't be opened or locked, its file
   *     system refuses direct I/O, the disk has no room, or it holds what no cache wrote; a file
   *     that was created is then gone again
   */
  public static FlashMedium create(Path path, long capacityBytes) throws IOException {
    return create(path, capacityBytes, CloseAction.KEEP);
  }

  /** Opens the same, with a choice of what becomes of the file when the medium is closed. */
  public static FlashMedium create(Path path, long capacityBytes, CloseAction atClose)
      throws IOException {
    return create(path, capacityBytes, atClose, ForeignFile.REFUSED);
  }

  /**
   * Opens the same, with a choice of what becomes of a file that no cache is known to have written.
   * A device that holds such bytes is refused in any case.
   */
  public static FlashMedium create(
      Path path, long capacityBytes, CloseAction atClose, ForeignFile foreign) throws IOException {
    if (capacityBytes <= 0 || capacityBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes is " + capacityBytes + "; it must be between 1 and " + MAX_BYTES);
    }
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(atClose, "atClose");
    Objects.requireNonNull(foreign, "foreign");
    MemoryAccess.require();
    return new FlashMedium(DirectFile.open(path, capacityBytes, foreign), capacityBytes, atClose);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return granuleBytes;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    int position = dst.position();
    Objects.checkFromIndexSize(position, length, dst.limit());
    if (isAligned(offset, dst, position, length)) {
      Objects.checkFromIndexSize(offset, length, capacityBytes);
      int limit = dst.limit();
      try {
        file.read(offset, dst.limit(position + length));
      } finally {
        dst.limit(limit).position(position);
      }
    } else {
      read(offset, dst, position, length);
    }
  }

  @Override
  public int readsAtOnce() {
    return file.readsAtOnce();
  }

  @Override
  public void readAll(ReadBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      ByteBuffer dst = batch.buffer(i);
      int length = batch.lengthBytes(i);
      if (!isAligned(batch.offset(i), dst, dst.position(), length)) {
        Medium.super.readAll(batch); // By way of buffers, one by one.
        return;
      }
      Objects.checkFromIndexSize(batch.offset(i), length, capacityBytes);
    }
    file.readAll(batch);
  }

  /** Returns whether the disk itself can read into the buffer, or write from it. */
  private boolean isAligned(long offset, ByteBuffer bytes, int position, int length) {
    return ((offset | length) & (granuleBytes - 1)) == 0 && readsInto(bytes, position);
  }

  @Override
  public boolean readsInto(ByteBuffer dst, int dstPosition) {
    return dst.isDirect()
        && !dst.isReadOnly()
        && AlignedBuffer.isAligned(dst, dstPosition, granuleBytes)
        && !RawMemory.mayVanish(dst);
  }

  @Override
  public boolean ignoresPositions() {
    return true;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(dstPosition, length, dst.capacity());
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    if (isAligned(offset, dst, dstPosition, length)) {
      BufferView view = views.take();
      try {
        file.read(offset, view.of(dst, dstPosition, length));
      } finally {
        views.giveBack(view);
      }
      return;
    }
    if (RawMemory.mayVanish(dst)) {
      ByteBuffer copy = ByteBuffer.allocate(length);
      read(offset, copy, 0, length);
      VanishingMemory.copyTo(dst, dstPosition, copy);
      return;
    }
    AlignedBuffer buffer = take(((int) offset & (granuleBytes - 1)) + (long) length);
    try {
      for (int done = 0; done < length; ) {
        int lead = (int) (offset + done) & (granuleBytes - 1);
        int piece = Math.min(length - done, BUFFER_BYTES - lead);
        file.read(offset + done - lead, buffer.first(wholeGranules(lead + piece)));
        buffer.copyOut(lead, dst, dstPosition + done, piece);
        done += piece;
      }
    } finally {
      buffers.giveBack(buffer);
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    if ((offset & (granuleBytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "offset is " + offset + "; writes begin at multiples of " + granuleBytes);
    }
    if (isAligned(offset, src, srcPosition, length)) {
      file.write(offset, src.duplicate().clear().position(srcPosition).limit(srcPosition + length));
      return;
    }
    if (RawMemory.mayVanish(src)) {
      write(offset, VanishingMemory.copyOf(src, srcPosition, length), 0, length);
      return;
    }
    AlignedBuffer buffer = take(length);
    try {
      for (int done = 0; done < length; ) {
        int piece = Math.min(length - done, BUFFER_BYTES);
        int whole = wholeGranules(piece);
        buffer.copyIn(src, srcPosition + done, 0, piece);
        buffer.zero(piece, whole - piece); // Not what another block left in the buffer.
        file.write(offset + done, buffer.first(whole));
        done += piece;
      }
    } finally {
      buffers.giveBack(buffer);
    }
  }

  private int wholeGranules(int bytes) {
    return (bytes + granuleBytes - 1) & -granuleBytes;
  }

  /** Returns a buffer for the granules that so many bytes lie in, or for a piece of them. */
  private AlignedBuffer take(long lengthBytes) throws IOException {
    int wanted = wholeGranules((int) Math.min(BUFFER_BYTES, lengthBytes));
    AlignedBuffer buffer = buffers.take(wanted);
    if (buffer == null) {
      throw new NoDirectMemoryException(
          "no buffer of "
              + wanted
              + " bytes is left for reading and writing "
              + file.path()
              + "; all together have "
              + buffers.allocatedBytes()
              + " bytes of native memory");
    }
    return buffer;
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    file.force();
  }

  /**
   * Overwrites the file if an earlier cache has used it without encryption, which takes as long as
   * filling it.
   *
   * @throws IOException if that was a device; names the command that clears it
   */
  @Override
  public void prepareEncryption() throws IOException {
    file.prepareEncryption();
  }

  @Override
  public void prepareDiscards() throws IOException {
    file.prepareDiscards();
  }

  /**
   * Gives the space back: of a file to its file system, so that writing there again may find the
   * disk full; of a device to the drive. Both read as zeros.
   */
  @Override
  public void discard(long offset, long length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    if (((offset | length) & (granuleBytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "offset is "
              + offset
              + " and length "
              + length
              + "; both must be multiples of "
              + granuleBytes);
    }
    file.discard(offset, length);
  }

  /** Returns none: what lies on a disk can't be read in place. */
  @Override
  public long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    return 0;
  }

  /** Checks that the file is still there, of its length, and locked. */
  @Override
  public void check() throws IOException {
    file.check();
  }

  @Override
  public long bufferBytes() {
    return buffers.allocatedBytes();
  }

  @Override
  public Durability durability() {
    return Durability.POWER_FAIL;
  }

  @Override
  public int regionBytes() {
    return REGION_BYTES;
  }

  @Override
  public WriteCost writeCost() {
    return new WriteCost(0, MAX_WRITERS, 0, granuleBytes);
  }

  @Override
  public Optional<Path> path() {
    return Optional.of(file.path());
  }

  @Override
  public String describe() {
    return "flash "
        + file.path()
        + ", "
        + capacityBytes
        + " bytes, direct I/O, batches by "
        + file.batchesBy();
  }

  @Override
  public synchronized void retire() {
    if (retired || abandoned) {
      return;
    }
    retired = true; // Not again after a failure: another may own the path.
    try {
      file.end(atClose);
    } catch (IOException e) {
      throw new UncheckedIOException("can't end " + file.path() + ": " + e.getMessage(), e);
    }
  }

  /** Has closing leave the file as it was before it was opened, as far as that can be. */
  @Override
  public synchronized void abandon() {
    abandoned = true;
  }

  /** Gives the file and its lock back. Does nothing the second time. */
  @Override
  public synchronized void close() {
    Claims.requireNotHeld(this);
    if (closed) {
      return;
    }
    closed = true;
    if (abandoned) {
      buffers.close();
      file.abandon();
      return;
    }
    try (file;
        buffers) {
      retire();
    }
  }
}
