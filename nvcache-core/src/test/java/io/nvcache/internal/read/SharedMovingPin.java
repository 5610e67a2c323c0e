// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.ReusablePin;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program whose threads move, read and unpin one and the same pin, against its contract, while
 * another fills the space of blocks that are given back with other blocks. Prints how many reads
 * showed bytes that are not those of one block, and what is left under pin, and taken, afterwards.
 */
final class SharedMovingPin {
  private static final int LENGTH = 64 << 10;
  private static final int BLOCKS = 64;
  private static final int FITTING = 16;
  private static final int THREADS = 4;
  private static final long NANOS = 2_000_000_000L;
  private static final long SEED = 20261123;

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory((long) FITTING * LENGTH)
          .maxBlockBytes(LENGTH)
          .expectedBlockBytes(LENGTH)
          .maxPinnedBytes((long) FITTING * LENGTH)
          .admission(AdmissionPresets.admitAll())
          .maintainedByCaller()
          .build();
  private final ReusablePin pin = cache.reusablePin();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private volatile boolean stop;

  private SharedMovingPin() {}

  public static void main(String[] arguments) throws InterruptedException {
    new SharedMovingPin().run();
  }

  private void run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      threads.add(new Thread(() -> use(random)));
    }
    threads.add(new Thread(this::replace));
    threads.forEach(Thread::start);
    long began = System.nanoTime();
    while (System.nanoTime() - began < NANOS || read.get() == 0 || refused.get() == 0) {
      Thread.sleep(10);
    }
    stop = true;
    for (Thread thread : threads) {
      thread.join();
    }
    pin.unpin();
    long pinned = cache.stats().pinnedBytes();
    for (long i = 0; i < BLOCKS; i++) {
      cache.invalidate(1, i * LENGTH);
    }
    System.out.printf(
        "seed %d: %d reads, %d refused, wrong %d, pinned %d, used %d bytes%n",
        SEED, read.get(), refused.get(), wrong.get(), pinned, cache.stats().usedBytes());
    cache.close();
  }

  private void use(SplittableRandom random) {
    ByteBuffer dst = ByteBuffer.allocateDirect(LENGTH);
    while (!stop) {
      try {
        switch (random.nextInt(8)) {
          case 0 -> pin.unpin();
          case 1, 2, 3 -> pin.moveTo(1, (long) random.nextInt(BLOCKS) * LENGTH);
          default -> {
            if (pin.copyRange(0, dst.clear()) == LENGTH) {
              check(dst);
            }
          }
        }
      } catch (IllegalStateException busyOrOnNone) {
        refused.incrementAndGet();
      }
    }
  }

  /** All words of a block are its number. */
  private void check(ByteBuffer block) {
    read.incrementAndGet();
    long number = block.getLong(0);
    for (int at = 0; at < LENGTH; at += Long.BYTES) {
      if (block.getLong(at) != number) {
        wrong.incrementAndGet();
        return;
      }
    }
  }

  private void replace() {
    ByteBuffer block = ByteBuffer.allocateDirect(LENGTH);
    for (long number = 0; !stop; number = (number + 1) % BLOCKS) {
      for (int at = 0; at < LENGTH; at += Long.BYTES) {
        block.putLong(at, number);
      }
      cache.offer(1, number * LENGTH, block.clear(), Source.READ);
    }
  }
}
