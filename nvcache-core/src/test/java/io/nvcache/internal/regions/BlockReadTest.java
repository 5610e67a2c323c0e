// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.memory.AlignedBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BlockReadTest {
  private static final long LOCATION = 7;
  private static final long HASH = 8;
  private static final long GENERATION = 9;
  private static final int LENGTH = 10;

  private final ExecutorService another = Executors.newCachedThreadPool();
  private final BlockRead read = new BlockRead(AlignedBuffer.allocate(4096, 4096));

  @AfterEach
  void end() {
    another.shutdownNow();
  }

  private void begin() {
    read.begin(LOCATION, HASH, GENERATION, LENGTH);
  }

  private boolean isOf(long location, long hash, long generation, int length) {
    return CompletableFuture.supplyAsync(
            () -> read.isOf(location, hash, generation, length), another)
        .join();
  }

  @Test
  void shouldBeJoined_FromItsBeginningToItsLastUser() {
    assertThat(read.join()).isFalse();
    begin();
    assertThat(read.join()).isTrue();
    assertThat(read.join()).isTrue();
    assertThat(read.leave()).isFalse();
    assertThat(read.leave()).isFalse();
    assertThat(read.join()).as("its owner still uses it").isTrue();
    assertThat(read.leave()).isFalse();
    assertThat(read.leave()).isTrue();
    assertThat(read.join()).isFalse();
  }

  /** A block that lies where an earlier one lay has another generation. */
  @Test
  void shouldBeOfThatBlockAlone() {
    begin();
    assertThat(isOf(LOCATION, HASH, GENERATION, LENGTH)).isTrue();
    assertThat(isOf(LOCATION + 1, HASH, GENERATION, LENGTH)).isFalse();
    assertThat(isOf(LOCATION, HASH + 1, GENERATION, LENGTH)).isFalse();
    assertThat(isOf(LOCATION, HASH, GENERATION + 1, LENGTH)).isFalse();
    assertThat(isOf(LOCATION, HASH, GENERATION, LENGTH + 1)).isFalse();
  }

  /** A medium that asks the cache for the block that it is to read would wait for itself. */
  @Test
  void shouldNotBeJoinedByItsOwner() {
    begin();
    assertThat(read.isOf(LOCATION, HASH, GENERATION, LENGTH)).isFalse();
  }

  @Test
  void shouldGiveItsBytesToThoseThatWait() throws Exception {
    begin();
    CompletableFuture<ByteBuffer> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              assertThat(read.join()).isTrue();
              assertThat(read.await()).isTrue();
              ByteBuffer bytes = ByteBuffer.allocate(8);
              read.copyOut(2, bytes, 3, 4);
              return bytes;
            },
            another);
    awaitUsers();
    for (int i = 0; i < LENGTH; i++) {
      read.block().whole().put(5 + i, (byte) (i + 1));
    }
    read.succeed(5);
    assertThat(waiting.get().array()).containsExactly(0, 0, 0, 3, 4, 5, 6, 0);
  }

  @Test
  void shouldSendThoseAway_ThatWaitForAReadThatFails() throws Exception {
    begin();
    CompletableFuture<Boolean> waiting =
        CompletableFuture.supplyAsync(() -> read.join() && read.await(), another);
    awaitUsers();
    read.fail();
    assertThat(waiting.get()).isFalse();
  }

  @Test
  void shouldHaveSucceeded_ThoughItIsSaidToFailAfterwards() {
    begin();
    read.succeed(0);
    read.fail();
    assertThat(read.await()).isTrue();
  }

  @Test
  void shouldKeepAnInterrupt_OfAThreadThatWaited() throws Exception {
    begin();
    CompletableFuture<Boolean> waiting = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              read.join();
              Thread.currentThread().interrupt();
              waiting.complete(read.await() && Thread.currentThread().isInterrupted());
            });
    thread.start();
    awaitUsers();
    read.succeed(0);
    assertThat(waiting.get()).isTrue();
  }

  /** Until there is one besides the owner. */
  private void awaitUsers() {
    while (!read.isShared()) {
      Thread.onSpinWait();
    }
  }
}
