// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads any bytes of a file by way of aligned reads into an aligned buffer, as O_DIRECT wants it:
 *
 * <pre>
 *            position          position + length
 *  file  ----+-[##################]---------+----
 *            aligned start                  aligned end
 * </pre>
 *
 * <p>Thread-safe: each thread has its own buffer.
 */
final class AlignedReader implements Closeable {
  /** Longer requests are read in pieces. */
  private static final int MAX_BUFFER_BYTES = 1 << 20;

  static final int MAX_ALIGNMENT_BYTES = 64 << 10;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Aligned as strictly as any file may want. */
  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> aligned(MAX_ALIGNMENT_BYTES));

  private final FileChannel channel;
  private final int alignmentBytes;
  private final DirectIo owner;
  private final long lengthBytes;

  /**
   * Takes over an open file that is no longer written to.
   *
   * @param alignmentBytes a power of two up to {@link #MAX_ALIGNMENT_BYTES}; 1 for buffered reads
   * @param owner hears of the reads
   */
  AlignedReader(FileChannel channel, int alignmentBytes, DirectIo owner) throws IOException {
    this.channel = channel;
    this.alignmentBytes = alignmentBytes;
    this.owner = owner;
    this.lengthBytes = channel.size();
  }

  /**
   * Reads bytes at a position, with one read of the disk unless the range is very long.
   *
   * @return how many bytes were read, fewer than asked for only at the end of the file; -1 if the
   *     position is at or past it and {@code length} is not 0
   */
  int read(long position, byte[] dst, int dstOffset, int length) throws IOException {
    if (length > 0 && position >= lengthBytes) {
      return -1;
    }
    int available = (int) Math.min(length, lengthBytes - position);
    int done = 0;
    while (done < available) {
      int piece = readPiece(position + done, dst, dstOffset + done, available - done);
      if (piece <= 0) {
        throw new EOFException("The file was cut at " + (position + done) + " while being read");
      }
      done += piece;
    }
    return done;
  }

  private int readPiece(long position, byte[] dst, int dstOffset, int length) throws IOException {
    long start = position & -alignmentBytes;
    int lead = (int) (position - start);
    int wanted = (int) Math.min((long) lead + length, MAX_BUFFER_BYTES);
    int aligned = (wanted + alignmentBytes - 1) & -alignmentBytes;
    ByteBuffer buffer = buffer(aligned);
    long startNanos = System.nanoTime();
    long processorNanos = THREADS.getCurrentThreadCpuTime();
    int read = channel.read(buffer.limit(aligned), start);
    if (read <= 0) {
      return 0;
    }
    processorNanos = THREADS.getCurrentThreadCpuTime() - processorNanos;
    owner.countRead(read, System.nanoTime() - startNanos - processorNanos);
    int useful = Math.min(read, wanted) - lead;
    if (useful > 0) {
      buffer.get(lead, dst, dstOffset, useful);
    }
    return useful;
  }

  private static ByteBuffer buffer(int bytes) {
    ByteBuffer buffer = BUFFER.get();
    if (buffer.capacity() < bytes) {
      buffer = aligned(bytes);
      BUFFER.set(buffer);
    }
    return buffer.clear();
  }

  private static ByteBuffer aligned(int bytes) {
    int rounded = (bytes + MAX_ALIGNMENT_BYTES - 1) & -MAX_ALIGNMENT_BYTES;
    return ByteBuffer.allocateDirect(rounded + MAX_ALIGNMENT_BYTES)
        .alignedSlice(MAX_ALIGNMENT_BYTES)
        .slice(0, rounded);
  }

  long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
