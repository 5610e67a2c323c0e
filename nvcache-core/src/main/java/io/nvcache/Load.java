// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The turn of a caller, the leader, that gets a block from the second tier or the loader on its own
 * thread, while others that want the same block wait for its bytes.
 */
final class Load extends Turn {
  private final Thread leader = Thread.currentThread();
  private final CompletableFuture<ByteBuffer> block = new CompletableFuture<>();
  private volatile boolean wantedInDram;

  /** Makes the leader put the block into the DRAM tier, if it has not yet got past that. */
  void wantInDram() {
    wantedInDram = true;
  }

  boolean isWantedInDram() {
    return wantedInDram;
  }

  /** Lets the joined callers go with these bytes. */
  void complete(ByteBuffer bytes) {
    block.complete(bytes);
  }

  /** Lets the joined callers go with this failure. */
  void fail(Throwable failure) {
    block.completeExceptionally(failure);
  }

  /** Waits for the leader; gives its bytes or throws its very exception. */
  ByteBuffer join() throws IOException {
    if (leader == Thread.currentThread()) {
      throw new IllegalStateException(
          "the loader asks the cache for the block that it is loading; read it from the file");
    }
    try {
      return block.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another thread was loading the block");
    } catch (ExecutionException e) {
      throw rethrow(e.getCause());
    }
  }

  private static IOException rethrow(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof IOException io ? io : new IOException(failure);
  }
}
