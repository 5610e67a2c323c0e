// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The load by one caller, the leader, that gets a block from the second tier or the loader on its
 * own thread, while others that want the same block wait for its bytes.
 */
final class BlockLoad extends BlockOperation {
  private final Thread leader = Thread.currentThread();
  private final CompletableFuture<ByteBuffer> block = new CompletableFuture<>();
  private volatile boolean wantedInDram;

  BlockLoad(BlockKey key) {
    super(key);
  }

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

  /**
   * Waits for the leader; gives its bytes or throws its very exception.
   *
   * @return null if the leader takes too long, and runs: the caller does better to load for itself
   * @throws IOException in addition to the leader's own, if it takes too long and waits for
   *     something, which may be the caller: one that loaded for itself might wait for the same
   */
  @Nullable ByteBuffer join(Patience patience) throws IOException {
    try {
      if (!patience.await(block)) {
        requireRunning(patience);
        return null;
      }
      return block.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another thread was loading the block");
    } catch (ExecutionException e) {
      throw rethrow(e.getCause());
    }
  }

  private void requireRunning(Patience patience) throws IOException {
    switch (leader.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> {
        IllegalStateException where =
            new IllegalStateException("here waits the thread " + leader.getName());
        where.setStackTrace(leader.getStackTrace());
        throw new IOException(
            "waited "
                + patience
                + " for block "
                + key()
                + ", which the thread "
                + leader.getName()
                + " loads, which waits itself: a loader must not wait for another thread that asks"
                + " this cache for the same block; one that is only slow needs a longer patience",
            where);
      }
      case NEW, RUNNABLE, TERMINATED -> {}
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
