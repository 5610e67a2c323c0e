// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.CloseAction;
import io.nvcache.medium.ForeignFile;
import io.nvcache.medium.ReadBatch;
import io.nvcache.medium.ReadOnlyMediumException;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.FileHoles;
import io.nvcache.memory.ReadRings;
import io.nvcache.memory.Uninterruptible;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file or a block device that is read and written past the page cache, in whole granules. Buffers
 * are direct, begin at a multiple of the granule in memory, and hold whole granules. Thread-safe
 * except for {@link #end}, {@link #abandon} and {@link #close}.
 *
 * <p>Its first granule is the cache's {@link Mark}; all others are the medium's.
 *
 * <p>The mark says last how long the file is. A file of the same length that has one was filled
 * before, so that it needn't be filled at each start: that would be a whole write of the drive. A
 * file or a block device is taken only if it has a mark, or nothing but zeros; of a device, where
 * file systems, partition tables and volume managers keep theirs. The nonce of the mark, new at
 * each opening, proves that all channels lead to one file.
 *
 * <p>A channel counts the threads inside of it under a lock, which some tens of threads contend
 * for, so there are several, and a thread keeps to one. No interrupt closes them.
 */
public final class DirectFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectFile.class);

  /** A power of two. */
  private static final int CHANNELS = 8;

  private final LockedFile file;
  private final Path path;
  private final int granuleBytes;
  private final long lengthBytes;
  private final FileChannel[] channels;
  private final OwnerMark mark;

  /** Whether the mark allows what is written: it says if all of it is encrypted. */
  private volatile boolean writable;

  private boolean ended;

  /** Set when a write failed because nothing can be written; null once that is over. */
  private volatile @Nullable ReadOnlyMediumException readOnly;

  /** Once it is prepared; set before other threads come. */
  private @Nullable FileHoles holes;

  /** The file once more, if the system reads several ranges at once. */
  private @Nullable ReadRings rings;

  /** Null until all channels are open. */
  private @Nullable BatchReads batches;

  private DirectFile(LockedFile file, Path path, int granuleBytes, long lengthBytes) {
    this.file = file;
    this.path = path;
    this.granuleBytes = granuleBytes;
    this.lengthBytes = lengthBytes;
    this.channels = new FileChannel[CHANNELS];
    this.mark = new OwnerMark(path, new MarkPlace(file.channel(), 0, granuleBytes), Mark.FLASH);
  }

  /** Opens a file or device, and makes room for so many bytes of a medium. */
  public static DirectFile open(Path named, long capacityBytes, ForeignFile foreign)
      throws IOException {
    Path path = deviceItself(named);
    LockedFile file = LockedFile.open(path, LockedFile.Access.DIRECT);
    return over(file, path, capacityBytes, foreign);
  }

  /** Returns the file that is held, wherever its path may lead by now. */
  static DirectFile over(LockedFile file, Path path, long capacityBytes, ForeignFile foreign)
      throws IOException {
    try {
      int granule = FileSystemAdvice.granuleBytes(path);
      DirectFile disk =
          new DirectFile(file, path, granule, granule + roundUp(capacityBytes, granule));
      try {
        disk.prepare(foreign);
      } catch (IOException | RuntimeException | Error e) {
        disk.closeOthers();
        disk.mark.release();
        throw e;
      }
      return disk;
    } catch (IOException e) {
      file.abandon();
      throw FileOpening.named(path, e);
    } catch (RuntimeException | Error e) {
      file.abandon();
      throw e;
    }
  }

  /** Devices are best named by what never changes, and such names are links. */
  private static Path deviceItself(Path named) throws IOException {
    if (Files.isSymbolicLink(named) && Files.exists(named)) {
      Path real = named.toRealPath();
      return BlockDevices.contain(real) ? real : named;
    }
    return named;
  }

  private static long roundUp(long bytes, int granule) {
    return (bytes + granule - 1) & -granule;
  }

  private void prepare(ForeignFile foreign) throws IOException {
    FileChannel first = file.channel();
    boolean isBlank = false;
    if (BlockDevices.contain(path)) {
      requireRoomOnDevice(first.size());
      isBlank = new EarlierContents(path, first, granuleBytes).requireOursOrBlank();
    } else {
      if (FileSystemAdvice.isInMemory(path)) {
        LOG.warn(
            "{} lies in a file system in memory (tmpfs): flash there takes as much memory as"
                + " nativeMemory or mappedFile, which are several times as fast; use one of these,"
                + " or name a file on a drive",
            path);
      }
      file.takeOver(foreign, granuleBytes);
      if (first.size() != lengthBytes || !mark.isOf(lengthBytes)) {
        fill();
        isBlank = true;
      }
    }
    if (isBlank || mark.isOfSealed()) {
      mark.become(Mark.SEALED); // Until a block is written that is not.
    }
    mark.write(lengthBytes);
    channels[0] = Uninterruptible.of(first); // Filling it may take long, and is over.
    for (int i = 1; i < CHANNELS; i++) {
      channels[i] = Uninterruptible.of(file.openAnother());
      if (!mark.isAt(new MarkPlace(channels[i], 0, granuleBytes))) {
        throw new IOException(path + " was replaced while it was opened; try again");
      }
    }
    batches = openBatches();
  }

  private BatchReads openBatches() {
    try {
      return new RingReads(openRings(), granuleBytes);
    } catch (IOException e) {
      BatchReads threads = new ThreadedReads();
      LOG.info(
          "{}: batches of reads are made by {}, not by io_uring: {}",
          path,
          threads.describe(),
          e.getMessage());
      return threads;
    }
  }

  private ReadRings openRings() throws IOException {
    ReadRings opened = ReadRings.open(path);
    rings = opened; // Closed with all others even if it is of no use: its closing takes the lock.
    file.requireSame(opened.descriptor());
    AlignedBuffer probed = AlignedBuffer.allocate(granuleBytes, granuleBytes);
    opened.probe(0, probed.address(), granuleBytes);
    probed.free();
    return opened;
  }

  /** Marked at once: a process may be killed before the file is full. */
  private void fill() throws IOException {
    file.requireRoom(lengthBytes);
    file.shorten(lengthBytes);
    mark.write(0);
    file.fill(granuleBytes, lengthBytes);
  }

  private void requireRoomOnDevice(long size) throws IOException {
    if (lengthBytes > size) {
      throw new IOException(
          "no space for a cache on "
              + path
              + ": "
              + lengthBytes
              + " bytes asked for, the device has "
              + size
              + "; lower the capacity");
    }
  }

  /** Returns the bytes of a granule, a power of two. */
  public int granuleBytes() {
    return granuleBytes;
  }

  /** Reads as many bytes as remain in {@code dst}, and leaves its position anywhere. */
  public void read(long offset, ByteBuffer dst) throws IOException {
    transfer(channel(), dst, granuleBytes + offset, false);
  }

  /** Writes all bytes that remain in {@code src}, and leaves its position anywhere. */
  public void write(long offset, ByteBuffer src) throws IOException {
    mark.requireOwn();
    try {
      if (!writable) {
        markClear();
      }
      transfer(channel(), src, granuleBytes + offset, true);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** Before anything is written in the clear, the mark says so. */
  private synchronized void markClear() throws IOException {
    if (!writable && mark.kind() != Mark.FLASH) {
      mark.become(Mark.FLASH);
    }
    writable = true;
  }

  /**
   * Makes sure that no block lies there in the clear; to be called before the first write if all
   * that is written is encrypted. A file is filled again if an earlier cache may have left blocks
   * in the clear; a device with such blocks is refused.
   */
  public synchronized void prepareEncryption() throws IOException {
    if (mark.kind() != Mark.SEALED) {
      if (BlockDevices.contain(path)) {
        throw new IOException(
            "can't encrypt what is written to "
                + path
                + ": an earlier cache has written blocks to it in the clear, which would stay"
                + " there; clear it with blkdiscard -z "
                + path);
      }
      LOG.warn(
          "{} has been used without encryption; its {} bytes are overwritten once, so that no"
              + " earlier block stays there in the clear",
          path,
          lengthBytes);
      mark.write(0);
      file.fill(granuleBytes, lengthBytes);
      mark.become(Mark.SEALED);
      mark.write(lengthBytes);
    }
    writable = true;
  }

  /** Returns how many reads {@link #readAll} has under way at the same time, at most. */
  public int readsAtOnce() {
    return batches == null ? 1 : batches.atOnce();
  }

  /** Does what {@link io.nvcache.medium.Medium#readAll} says, of whole granules. */
  public void readAll(ReadBatch batch) {
    if (batches == null) {
      readEach(batch);
    } else {
      batches.read(batch, this);
    }
  }

  /** Reads the ranges of a batch one after another. */
  void readEach(ReadBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      readOne(batch, i);
    }
  }

  /** Reads one range of a batch, if that can be, on whichever thread. */
  void readOne(ReadBatch batch, int number) {
    ByteBuffer dst = batch.buffer(number);
    try {
      read(batch.offset(number), dst.slice(dst.position(), batch.lengthBytes(number)));
      batch.succeeded(number);
    } catch (IOException | RuntimeException notRead) {
      // A read of this one alone tells what is wrong.
    }
  }

  /** Returns a few words for reports: what makes the reads of {@link #readAll}. */
  public String batchesBy() {
    return batches == null ? "one by one" : batches.describe();
  }

  private FileChannel channel() {
    return channels[(int) Thread.currentThread().getId() & (CHANNELS - 1)];
  }

  /** Reads into a buffer, or writes from it, until nothing remains. */
  private void transfer(FileChannel channel, ByteBuffer bytes, long at, boolean writes)
      throws IOException {
    int wanted = bytes.remaining();
    int first = bytes.position();
    while (bytes.hasRemaining()) {
      int done = bytes.position() - first;
      int now = writes ? channel.write(bytes, at + done) : channel.read(bytes, at + done);
      if (now <= 0 || now % granuleBytes != 0) {
        throw new IOException(
            path
                + " ends within "
                + wanted
                + " bytes at "
                + at
                + "; it was cut short: close the cache and build it again");
      }
    }
  }

  /** Makes what was written survive the loss of power. */
  public void force() throws IOException {
    try {
      channels[0].force(false);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** A file system that finds an error in itself becomes read-only, and can be read on. */
  private IOException explained(IOException failure) {
    if (!FileSystemAdvice.isReadOnly(path, failure)) {
      return failure;
    }
    ReadOnlyMediumException explained =
        new ReadOnlyMediumException(
            path
                + " can't be written: its file system is mounted read-only, as after an error that"
                + " the kernel's log names; hits continue, and writes once it is mounted"
                + " read-write",
            failure);
    readOnly = explained;
    return explained;
  }

  /** Tries it, as no file system tells when it can be written again. */
  private void requireWritable() throws IOException {
    if (readOnly != null) {
      try {
        mark.renew();
        readOnly = null;
      } catch (IOException e) {
        throw explained(e);
      }
    }
  }

  /** Makes ready for {@link #discard}; throws if that can't be. */
  public void prepareDiscards() throws IOException {
    FileHoles opened = FileHoles.open(path);
    holes = opened; // Closed with all others even if it is of no use: its closing takes the lock.
    file.requireSame(opened.descriptor());
    if (!BlockDevices.contain(path)) {
      opened.punch(lengthBytes, granuleBytes); // Behind the end: shows that it can be done.
    }
  }

  /** Gives the space of whole granules back: to the file system, or to the drive. */
  public void discard(long offset, long length) throws IOException {
    mark.requireOwn();
    if (holes == null) {
      throw new IOException(path + " was not made ready for discards");
    }
    holes.punch(granuleBytes + offset, length);
  }

  /** Throws if the file can't be used any more. */
  public void check() throws IOException {
    file.requireLength(lengthBytes);
    file.requireInPlace();
    mark.check();
    requireWritable();
  }

  /** Does with the file what was asked for, while it is still locked. */
  public void end(CloseAction atClose) throws IOException {
    mark.requireOwn(); // Another's is neither deleted nor wiped.
    ended = atClose != CloseAction.KEEP;
    file.end(atClose);
  }

  /** Closes it, and leaves the file as it was before it was opened, where possible. */
  public void abandon() {
    try {
      mark.release();
      closeOthers();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      file.abandon();
    }
  }

  /** Returns the file or device. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      if (!ended) {
        mark.release();
      }
      closeOthers();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      file.close();
    }
  }

  /** Closes all channels but the first, which has the lock; not all are open if opening failed. */
  private void closeOthers() throws IOException {
    if (holes != null) {
      holes.close();
      holes = null;
    }
    if (batches != null) {
      batches.close();
      batches = null;
    }
    if (rings != null) {
      rings.close();
      rings = null;
    }
    for (int i = 1; i < CHANNELS && channels[i] != null; i++) {
      channels[i].close();
    }
  }
}
