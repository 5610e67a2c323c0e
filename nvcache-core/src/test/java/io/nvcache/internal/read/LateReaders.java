// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A program that pins a block many times over: one thread copies it while the pin is closed, and
 * others try to read it all the while. Prints what is left under pin, and taken, afterwards.
 */
final class LateReaders {
  /** Takes long enough to copy that the pin can be closed during it. */
  private static final int LENGTH = 8 << 20;

  private static final int ROUNDS = 300;
  private static final int LATE_READERS = 3;
  private static final int MOST_SPINS = 20;
  private static final int END = Integer.MAX_VALUE;
  private static final long SEED = 20261122;

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(16L * LENGTH)
          .maxBlockBytes(LENGTH)
          .maxPinnedBytes(Long.MAX_VALUE)
          .admission(AdmissionPresets.admitAll())
          .maintainedByCaller()
          .build();
  private final SplittableRandom random = new SplittableRandom(SEED);

  /** Readers that were not refused yet; before the first round the pin is closed. */
  private final CountDownLatch tooLate = new CountDownLatch(LATE_READERS);

  private volatile PinnedBlock pin;
  private volatile int round;
  private volatile int copying;
  private volatile int copied;

  private LateReaders() {
    cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
    this.pin = Objects.requireNonNull(cache.pin(1, 0));
    pin.close();
  }

  public static void main(String[] arguments) throws InterruptedException {
    new LateReaders().run();
  }

  private void run() throws InterruptedException {
    List<Thread> readers = new ArrayList<>();
    readers.add(new Thread(this::copyOnceARound));
    for (int i = 0; i < LATE_READERS; i++) {
      readers.add(new Thread(this::readAllTheWhile));
    }
    readers.forEach(Thread::start);
    tooLate.await(); // So that they read in all rounds, however late they start.
    for (int next = 1; next <= ROUNDS; next++) {
      int now = next;
      pin = Objects.requireNonNull(cache.pin(1, 0));
      round = now;
      await(() -> copying == now);
      for (int spins = random.nextInt(MOST_SPINS); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      pin.close();
      await(() -> copied == now);
    }
    round = END;
    for (Thread reader : readers) {
      reader.join();
    }
    long pinned = cache.stats().pinnedBytes();
    cache.invalidate(1, 0);
    System.out.printf(
        "seed %d: pinned %d, used %d bytes%n", SEED, pinned, cache.stats().usedBytes());
    cache.close();
  }

  private void copyOnceARound() {
    ByteBuffer dst = ByteBuffer.allocateDirect(LENGTH);
    for (int next = 1; next <= ROUNDS; next++) {
      int now = next;
      await(() -> round >= now);
      copying = now;
      try {
        pin.copyTo(dst.clear());
      } catch (IllegalStateException closedBefore) {
        dst.clear();
      }
      copied = now;
    }
  }

  private void readAllTheWhile() {
    boolean refused = false;
    while (round != END) {
      try {
        pin.getLong(0);
      } catch (IllegalStateException closed) {
        if (!refused) {
          refused = true;
          tooLate.countDown();
        }
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000); // There may be fewer processors than threads.
    }
  }
}
