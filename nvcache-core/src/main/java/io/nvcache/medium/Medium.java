// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A fixed range of bytes for cached blocks. All metadata is in DRAM, so that freeing a block writes
 * nothing here. Only {@linkplain io.nvcache.BlockPlacement#REGIONS regions} also record which
 * blocks they have, so that a restart finds them.
 *
 * <p><b>Threads.</b> All methods except {@link #retire} and {@link #close} may be called by many
 * threads at once. The engine never lets two writes, or a write and a read whose result is used,
 * overlap. It calls {@code retire} once, after the last of the other calls has returned, and then
 * {@code close}, once.
 *
 * <p><b>What a medium may call.</b> It is asked inside calls of the cache, with no lock of the
 * index held, and may call the cache, though it has little reason to. A cache that is closed from
 * inside closes the medium after the call has ended. A medium must not wait for another thread that
 * closes the cache.
 *
 * <p><b>Bounds.</b> Implementations check {@code 0 ≤ offset ≤ capacity − length} before touching
 * memory and throw {@link IndexOutOfBoundsException} otherwise.
 */
public interface Medium extends AutoCloseable {
  /** Returns the number of bytes. */
  long capacityBytes();

  /** Returns the granule at which accesses should start, a power of two: 64 B, 256 B, 4 KiB. */
  int alignmentBytes();

  /**
   * Reads {@code length} bytes into {@code dst} at its position. Position and limit of {@code dst}
   * stay as they are.
   *
   * @throws IOException if the medium fails; {@code dst} may have been overwritten
   */
  void read(long offset, ByteBuffer dst, int length) throws IOException;

  /**
   * Reads {@code length} bytes into {@code dst} from {@code dstPosition} on. The position and the
   * limit of {@code dst} don't matter.
   */
  default void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException {
    boolean there = dst.position() == dstPosition && dst.limit() - dstPosition >= length;
    read(offset, there ? dst : dst.duplicate().clear().position(dstPosition), length);
  }

  /**
   * Returns how many reads {@link #readAll} has under way at the same time, at most; 1 if it makes
   * one after another, and brings nothing that {@link #read} would not.
   */
  default int readsAtOnce() {
    return 1;
  }

  /**
   * Reads several ranges, each like {@link #read}, in any order or at the same time, and reports
   * each success by {@link ReadBatch#succeeded}. A range that can't be read is not reported; the
   * engine reads it again by itself, if it is still wanted, and gets the reason. Positions and
   * limits of the buffers stay as they are.
   *
   * <p>When this returns, the medium writes to none of the buffers any more. If it throws, the
   * engine takes care of that.
   */
  default void readAll(ReadBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      try {
        read(batch.offset(i), batch.buffer(i), batch.lengthBytes(i));
        batch.succeeded(i);
      } catch (IOException | RuntimeException notRead) {
        // The others may be all right, and a read of this one alone tells what is wrong.
      }
    }
  }

  /**
   * Returns whether reading and writing take nothing of a buffer but its bytes, so that it does no
   * harm if another thread moves position and limit during the call. If not, the engine hands over
   * duplicates of its callers' buffers, which are garbage of each call.
   */
  default boolean ignoresPositions() {
    return false;
  }

  /**
   * Returns whether {@link #read(long, ByteBuffer, int, int)} of whole granules fills this buffer,
   * from this position on, without a copy. A medium that says so must read in the calling thread:
   * once the read has returned or thrown, nothing writes to the buffer any more.
   */
  default boolean readsInto(ByteBuffer dst, int dstPosition) {
    return false;
  }

  /**
   * Writes {@code length} bytes of {@code src} from {@code srcPosition} on. Position and limit of
   * {@code src} don't matter and stay as they are: its owner may move them during the call. A
   * medium that writes to a mapping of a file does so by {@link MappedAccess#write}, or calls
   * {@link MappedAccess#deliverFaults} before it returns; otherwise a failure of the mapping is
   * thrown later, in other code.
   *
   * @throws IOException if the medium fails; the bytes written to are then undefined
   */
  void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException;

  /** Writes the remaining bytes of {@code src}, whose position and limit stay as they are. */
  default void write(long offset, ByteBuffer src) throws IOException {
    write(offset, src, src.position(), src.remaining());
  }

  /** Makes earlier writes to the range as durable as {@link #durability} says. */
  void persist(long offset, long length) throws IOException;

  /**
   * Returns the memory address of a range, if it is contiguous memory and reading it directly costs
   * what {@link #read} costs; else 0. The engine asks for whole extents when it first uses them,
   * maybe by several threads, and keeps the answer. Addresses are valid until {@link #close}.
   */
  long address(long offset, long length);

  /** Returns what written bytes survive. */
  Durability durability();

  /** Returns what writing costs here. */
  WriteCost writeCost();

  /** Returns the bytes of DRAM that the medium takes beyond its blocks, such as for buffers. */
  default long bufferBytes() {
    return 0;
  }

  /**
   * Looks from outside whether the medium can still be used, cheaply; asked about once a second.
   *
   * @throws IOException if not; says why. {@link MediumLostException}: it never will be again;
   *     {@link ReadOnlyMediumException}: it can be read
   */
  default void check() throws IOException {}

  /**
   * Returns whether a block must be read as it was written, from its first byte to its last,
   * because the medium can't make sense of a part.
   */
  default boolean readsWholeBlocks() {
    return false;
  }

  /** Returns the file or block device that the bytes lie in; empty for plain memory. */
  default Optional<Path> path() {
    return Optional.empty();
  }

  /** Returns the drives that the bytes lie on, if they can be lost one by one. */
  default DriveSet drives() {
    return DriveSet.ONE;
  }

  /**
   * Returns the length of the pieces that should each be written from beginning to end, and then
   * again as a whole, as on flash; 0 if writes may go anywhere. The engine may use shorter pieces
   * on a small medium. A medium that wants this and is {@linkplain #durability durable} is opened
   * with what was written to it before, to allow a {@linkplain io.nvcache.Restart warm restart}.
   *
   * @return a power of two, or 0
   */
  default int regionBytes() {
    return 0;
  }

  /**
   * Ensures that no bytes of an earlier cache remain in the clear. Called once, before the first
   * write, if all blocks will be encrypted. A medium that begins without bytes of earlier caches
   * has nothing to do.
   *
   * @throws IOException if that can't be; says why, and what would help
   */
  default void prepareEncryption() throws IOException {}

  /**
   * Prepares for {@link #discard}. The engine calls it once, before all other methods, if ranges
   * are to be discarded.
   *
   * @throws IOException if they can't be; says why, and what would help
   */
  default void prepareDiscards() throws IOException {
    throw new IOException(describe() + " has no way to discard; use flash");
  }

  /**
   * Forgets what was written to the range, so that a drive need not keep it. What is read there is
   * undefined until it is written again; other ranges stay as they are. The engine discards only
   * where no block is, and neither reads nor writes there during the call except for reads whose
   * result is not used.
   *
   * @param offset a multiple of {@link #alignmentBytes}, as is {@code length}
   */
  default void discard(long offset, long length) throws IOException {
    throw new IOException(describe() + " has no way to discard");
  }

  /** Returns one line for logs and reports: kind, place, size. */
  String describe();

  /**
   * Treats the bytes as configured for closing, such as wiping them, where that is possible while
   * addresses stay valid: views may remain, and keep the medium from being closed while they are
   * held. Their contents are undefined from now on. A medium that is closed without this call does
   * it then.
   *
   * @throws RuntimeException if it fails; the medium is closed nevertheless
   */
  default void retire() {}

  /**
   * Notes that no cache was built on the medium. Closing then also undoes the opening where
   * possible: a file that was created is deleted, one that existed stays.
   */
  default void abandon() {}

  /** Releases memory and files. */
  @Override
  void close();
}
