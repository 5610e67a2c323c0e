// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Opens the files of one directory for reading, with O_DIRECT if its file system bears that, and
 * counts what is read. Thread-safe.
 */
final class DirectIo {
  private static final int MIN_ALIGNMENT_BYTES = 4096;
  private static final long LONGEST_WAIT_NANOS = 100_000_000_000L;
  private static final int DIGITS = 3;

  private final DirectIoStatus status;
  private final int alignmentBytes;
  private final LongAdder reads = new LongAdder();
  private final LongAdder readBytes = new LongAdder();
  private final Histogram waitNanos = new ConcurrentHistogram(LONGEST_WAIT_NANOS, DIGITS);

  private DirectIo(DirectIoStatus status, int alignmentBytes) {
    this.status = status;
    this.alignmentBytes = alignmentBytes;
  }

  /** Opens a file, as {@link FileChannel#open(Path, Set, FileAttribute[])} does. */
  @FunctionalInterface
  interface Opener {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;
  }

  /** Finds out, with a file of one block, whether the directory's file system bears O_DIRECT. */
  static DirectIo probe(Path directory) throws IOException {
    return probe(directory, FileChannel::open);
  }

  static DirectIo probe(Path directory, Opener opener) throws IOException {
    long blockBytes = Files.getFileStore(directory).getBlockSize();
    if (Long.bitCount(blockBytes) != 1 || blockBytes > AlignedReader.MAX_ALIGNMENT_BYTES) {
      return refused(directory + " has blocks of " + blockBytes + " bytes, which don't align");
    }
    int alignmentBytes = (int) Math.max(MIN_ALIGNMENT_BYTES, blockBytes);
    Path probe = Files.createTempFile(directory, "probe", ".tmp");
    try {
      Files.write(probe, new byte[alignmentBytes]);
      try (FileChannel channel = opener.open(probe, options(DirectIoStatus.Mode.ENABLED))) {
        ByteBuffer buffer =
            ByteBuffer.allocateDirect(2 * alignmentBytes).alignedSlice(alignmentBytes);
        channel.read(buffer.limit(alignmentBytes), 0);
      }
      return new DirectIo(
          new DirectIoStatus(
              DirectIoStatus.Mode.ENABLED,
              "a read of " + directory + " with O_DIRECT succeeded, aligned to " + alignmentBytes),
          alignmentBytes);
    } catch (IOException | UnsupportedOperationException e) {
      return refused(directory + " can't be read with O_DIRECT: " + e);
    } finally {
      Files.delete(probe);
    }
  }

  /** Reads through the page cache. */
  static DirectIo refused(String reason) {
    return new DirectIo(new DirectIoStatus(DirectIoStatus.Mode.REFUSED, reason), 1);
  }

  private static Set<OpenOption> options(DirectIoStatus.Mode mode) {
    return mode == DirectIoStatus.Mode.ENABLED
        ? Set.of(StandardOpenOption.READ, ExtendedOpenOption.DIRECT)
        : Set.of(StandardOpenOption.READ);
  }

  AlignedReader open(Path file) throws IOException {
    return new AlignedReader(FileChannel.open(file, options(status.mode())), alignmentBytes, this);
  }

  /** The same way to read, with its own counters. */
  DirectIo again() {
    return new DirectIo(status, alignmentBytes);
  }

  /**
   * Counts a read.
   *
   * @param waitNanosOfRead how long its thread took less the processor's part of that
   */
  void countRead(int bytes, long waitNanosOfRead) {
    reads.increment();
    readBytes.add(bytes);
    waitNanos.recordValue(Math.max(0, Math.min(LONGEST_WAIT_NANOS, waitNanosOfRead)));
  }

  DirectIoStatus status() {
    return status;
  }

  long reads() {
    return reads.sum();
  }

  /** How long the reads so far waited for the disk. */
  Histogram waitNanos() {
    return waitNanos.copy();
  }

  long readBytes() {
    return readBytes.sum();
  }
}
