// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The disk below a {@link FlashMedium}: a run of granules, of which whole ones are read and
 * written. Buffers are direct, begin at a multiple of the granule in memory, and hold whole
 * granules. Thread-safe except for {@link #end} and {@link #close}.
 */
interface Disk extends AutoCloseable {
  /** Returns the bytes of a granule, a power of two. */
  int granuleBytes();

  /** Reads as many bytes as remain in {@code dst}, and leaves its position anywhere. */
  void read(long offset, ByteBuffer dst) throws IOException;

  /** Returns how many reads {@link #readAll} has under way at the same time, at most. */
  default int readsAtOnce() {
    return 1;
  }

  /** Returns a few words for reports: what makes the reads of {@link #readAll}. */
  default String batchesBy() {
    return "one by one";
  }

  /** Does what {@link Medium#readAll} says, of whole granules. */
  default void readAll(ReadBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      readOne(batch, i);
    }
  }

  /** Reads one range of a batch, if that can be, on whichever thread. */
  default void readOne(ReadBatch batch, int number) {
    try {
      read(
          batch.offset(number),
          batch.buffer(number).slice(batch.buffer(number).position(), batch.lengthBytes(number)));
      batch.succeeded(number);
    } catch (IOException | RuntimeException notRead) {
      // A read of this one alone tells what is wrong.
    }
  }

  /** Writes all bytes that remain in {@code src}, and leaves its position anywhere. */
  void write(long offset, ByteBuffer src) throws IOException;

  /** Makes what was written survive the loss of power. */
  void force() throws IOException;

  /**
   * Makes sure that no block lies there in the clear; to be called before the first write if all
   * that is written is encrypted. Throws if that can't be.
   */
  void prepareEncryption() throws IOException;

  /** Makes ready for {@link #discard}; throws if that can't be. */
  void prepareDiscards() throws IOException;

  /** Gives the space of whole granules back: to the file system, or to the drive. */
  void discard(long offset, long length) throws IOException;

  /** Throws if the disk can't be used any more. */
  void check() throws IOException;

  /** Does what is to become of the bytes in the end. */
  void end(CloseAction atClose) throws IOException;

  /** Closes it, and leaves the file as it was before it was opened, as far as that can be. */
  void abandon();

  /** Returns the file or device. */
  Path path();

  /** One line for logs: kind and place. */
  String describe();

  @Override
  void close();
}
