// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases that other threads read while they are closed. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class MemoryLeaseTest {
  /** Takes long enough to copy that the lease can be closed meanwhile. */
  private static final int LENGTH = 256 << 10;

  private static final int ROUNDS = 2_000;
  private static final int REFUSALS = 40;
  private static final long SEED = 20261122;

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(16L * LENGTH)
          .maxBlockBytes(LENGTH)
          .maxPinnedBytes(Long.MAX_VALUE)
          .admission(AdmissionPresets.admitAll())
          .maintainedByCaller()
          .build();

  private volatile PinnedBlock lease;
  private volatile int round;
  private volatile int copying;
  private volatile int copied;
  private volatile int refused;

  @AfterEach
  void close() {
    cache.close();
  }

  /**
   * One thread copies the block while the lease is closed, and a third tries to read it all the
   * while: whatever the third does, the space is given back once.
   */
  @Test
  void shouldGiveItsSpaceBackOnceWhoeverTriesToReadItTooLate() throws Exception {
    cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
    Thread copier = new Thread(this::copyEachRound);
    Thread late = new Thread(this::readTooLateEachRound);
    copier.start();
    late.start();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int next = 1; next <= ROUNDS; next++) {
      int now = next;
      lease = Objects.requireNonNull(cache.pin(1, 0), () -> "round " + now + ", seed " + SEED);
      round = now;
      await(() -> copying == now);
      for (int spin = random.nextInt(2_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      lease.close();
      await(() -> copied == now && refused == now);
      assertThat(cache.stats().pinnedBytes()).as("round %d, seed %d", now, SEED).isZero();
    }
    round = Integer.MAX_VALUE;
    copier.join();
    late.join();

    cache.invalidate(1, 0);
    assertThat(cache.stats().usedBytes()).isZero();
  }

  private void copyEachRound() {
    ByteBuffer dst = ByteBuffer.allocateDirect(LENGTH);
    for (int next = 1; awaitRound(next); next++) {
      copying = next;
      try {
        lease.copyTo(dst.clear());
      } catch (IllegalStateException closedBefore) {
        dst.clear();
      }
      copied = next;
    }
  }

  private void readTooLateEachRound() {
    for (int next = 1; awaitRound(next); next++) {
      for (int refusals = 0; refusals < REFUSALS || copied < next; ) {
        try {
          lease.getLong(0);
        } catch (IllegalStateException closed) {
          refusals++;
        }
      }
      refused = next;
    }
  }

  /** False if there is none any more. */
  private boolean awaitRound(int next) {
    await(() -> round >= next);
    return round == next;
  }

  private static void await(BooleanSupplier condition) {
    for (int spins = 1; !condition.getAsBoolean(); spins++) {
      if (spins % 100 == 0) {
        LockSupport.parkNanos(1_000); // There may be fewer processors than threads.
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
