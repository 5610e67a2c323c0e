// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.testing.ArenaBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers who misuse their buffers: whatever becomes of the bytes, none land outside. */
final class CallersBufferTest {
  private static final int LENGTH = 4096;
  private static final int GETS = 400_000;

  private BlockCache cache;

  @BeforeEach
  void open() {
    cache =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
    assertThat(cache.offer(1, 0, TestBlock.of(1, 0, LENGTH), Source.READ))
        .isEqualTo(OfferResult.ADMITTED);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  @Test
  void shouldNotWriteBeyondABufferThatAnotherThreadMoves() throws InterruptedException {
    byte[] around = new byte[3 * LENGTH];
    ByteBuffer dst = ByteBuffer.wrap(around, LENGTH, LENGTH).slice();
    AtomicBoolean over = new AtomicBoolean();
    Thread mover =
        new Thread(
            () -> {
              while (!over.get()) {
                dst.position(LENGTH);
                dst.position(0);
              }
            });
    mover.start();
    int refused = 0;
    for (int i = 0; i < GETS || refused == 0; i++) { // The other may start late.
      try {
        cache.get(1, 0, dst);
      } catch (RuntimeException e) { // Of one kind or another: it is not our buffer.
        refused++;
      }
    }
    over.set(true);
    mover.join();

    assertThat(cache.stats().mediumFailures()).as("which is not to blame").isZero();
    for (int i = 0; i < LENGTH; i++) {
      assertThat(around[i]).isZero();
      assertThat(around[2 * LENGTH + i]).isZero();
    }
  }

  /** By reflection, since JDK 17 has no arenas. */
  @Test
  void shouldRefuseTheBufferOfAClosedArena() throws Exception {
    assumeTrue(Runtime.version().feature() >= 22);
    ByteBuffer freed = bufferOfClosedArena();

    assertThatThrownBy(() -> cache.get(1, 0, freed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.getRange(1, 0, 8, freed))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.offer(1, LENGTH, freed, Source.READ))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.offer(1, LENGTH, LENGTH, () -> freed, Source.READ))
        .isInstanceOf(IllegalStateException.class);
    try (PinnedBlock pin = cache.pin(1, 0)) {
      assertThat(pin).isNotNull();
      assertThatThrownBy(() -> pin.copyTo(freed)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(cache.stats().mediumFailures()).isZero();
    assertThat(cache.stats().usedBytes()).isEqualTo(LENGTH);
  }

  private static ByteBuffer bufferOfClosedArena() throws Exception {
    ArenaBuffer arena = new ArenaBuffer(LENGTH);
    arena.close();
    return arena.buffer();
  }
}
