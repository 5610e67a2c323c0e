// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.loads;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One block that is being read from the delegate, or was read ahead and not been asked for yet. */
final class Load {
  private final CompletableFuture<@Nullable ByteBuffer> bytes = new CompletableFuture<>();
  private final @Nullable ReadAhead readAhead;

  Load(@Nullable ReadAhead readAhead) {
    this.readAhead = readAhead;
  }

  boolean isAhead() {
    return readAhead != null;
  }

  boolean isDone() {
    return bytes.isDone();
  }

  void complete(ByteBuffer block) {
    bytes.complete(block);
  }

  /** Who waits reads the block for itself. Does nothing to a load that is complete. */
  void fail() {
    bytes.complete(null);
  }

  /**
   * Waits for the block, and begins the read ahead if no thread did so far.
   *
   * @return the block, for reading by absolute positions alone; null if the load failed
   */
  @Nullable ByteBuffer join() {
    if (readAhead != null) {
      readAhead.run();
    }
    return bytes.join();
  }
}
