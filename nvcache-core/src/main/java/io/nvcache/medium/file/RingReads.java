// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.ReadBatch;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.ReadRing;
import io.nvcache.memory.ReadRings;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Makes the reads of a batch by io_uring: with one call of the system, and one wait. A virtual
 * thread would hold its carrier in it; it has {@linkplain ThreadedReads threads} help instead,
 * which it waits for without.
 */
final class RingReads implements BatchReads {
  private final ReadRings rings;
  private final long firstByte;
  private final BatchReads forVirtualThreads = new ThreadedReads();

  /**
   * Reads a file.
   *
   * @param firstByte of the file that is the medium's
   */
  RingReads(ReadRings rings, long firstByte) {
    this.rings = rings;
    this.firstByte = firstByte;
  }

  @Override
  public int atOnce() {
    return ReadRing.MOST;
  }

  @Override
  public void read(ReadBatch batch, DirectFile file) {
    if (rings.holdCarrier()) {
      forVirtualThreads.read(batch, file);
      return;
    }
    ReadRing ring = rings.take();
    if (ring == null) { // As many threads as there are rings are inside, and keep the drive busy.
      file.readEach(batch);
      return;
    }
    try {
      for (int first = 0; first < batch.size(); first += ReadRing.MOST) {
        read(batch, first, Math.min(batch.size(), first + ReadRing.MOST), ring);
      }
    } finally {
      rings.giveBack(ring);
      Reference.reachabilityFence(batch); // Its buffers are known to the kernel by address.
    }
  }

  private void read(ReadBatch batch, int first, int end, ReadRing ring) {
    ring.clear();
    for (int i = first; i < end; i++) {
      ByteBuffer dst = batch.buffer(i);
      long address = RawMemory.bufferAddress(dst) + dst.position();
      ring.add(firstByte + batch.offset(i), address, batch.lengthBytes(i));
    }
    ring.read();
    for (int i = first; i < end; i++) {
      if (ring.isRead(i - first)) {
        batch.succeeded(i);
      }
    }
  }

  @Override
  public String describe() {
    return "io_uring";
  }

  /** Lets the threads end; who opened the rings closes them. */
  @Override
  public void close() {
    forVirtualThreads.close();
  }
}
