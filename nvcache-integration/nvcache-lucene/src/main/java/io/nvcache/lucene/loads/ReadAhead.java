// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.loads;

import io.nvcache.Source;
import io.nvcache.lucene.files.OpenedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads adjacent blocks with one request to the delegate. Runs once, on the thread that comes
 * first: one of the pool's, or a reader's that needs a block of it.
 */
final class ReadAhead implements PoolTask {
  private final DelegateReads reads;
  private final OpenedFile file;
  private final long offset;
  private final @Nullable Source source;
  private final boolean kept;
  private final Load[] loads;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * Plans a read.
   *
   * @param source what those blocks are offered as that no reader takes; null to offer none
   * @param kept whether blocks wait for a reader; else the caller takes them
   */
  ReadAhead(
      DelegateReads reads,
      OpenedFile file,
      long offset,
      int blocks,
      @Nullable Source source,
      boolean kept) {
    this.reads = reads;
    this.file = file;
    this.offset = offset;
    this.source = source;
    this.kept = kept;
    this.loads = new Load[blocks];
    for (int i = 0; i < blocks; i++) {
      loads[i] = new Load(this);
    }
  }

  int blocks() {
    return loads.length;
  }

  Load load(int number) {
    return loads[number];
  }

  BlockName name(int number) {
    return new BlockName(file.id(), offsetOf(number));
  }

  private long offsetOf(int number) {
    return offset + (long) number * file.blockBytes();
  }

  @Override
  public void run() {
    if (!begun.compareAndSet(false, true)) {
      return;
    }
    try {
      long end = offsetOf(loads.length - 1) + file.blockLength(offsetOf(loads.length - 1));
      byte[] bytes = new byte[(int) (end - offset)];
      reads.requested(loads.length);
      IndexInput input = file.cloneDelegate();
      input.seek(offset);
      input.readBytes(bytes, 0, bytes.length);
      for (int i = 0; i < loads.length; i++) {
        arrived(i, bytes);
      }
    } catch (IOException | RuntimeException e) {
      // A reader that needs the block reads it, and gets the exception of that read. Those of
      // object stores are often no IOException.
      reads.aheadFailed();
    } finally {
      cancelRest();
    }
  }

  private void arrived(int number, byte[] all) {
    long at = offsetOf(number);
    int length = file.blockLength(at);
    byte[] block = new byte[length]; // A copy, so that a block that stays does not keep the rest.
    System.arraycopy(all, (int) (at - offset), block, 0, length);
    ByteBuffer buffer = ByteBuffer.wrap(block);
    loads[number].complete(buffer);
    if (kept) {
      reads.keep(file, name(number), loads[number], source);
    }
  }

  /** Lets go all blocks that have not arrived. */
  @Override
  public void cancel() {
    if (begun.compareAndSet(false, true)) {
      cancelRest();
    }
  }

  private void cancelRest() {
    for (int i = 0; i < loads.length; i++) {
      if (!loads[i].isDone()) {
        loads[i].fail();
        reads.forget(name(i), loads[i]);
      }
    }
  }
}
