// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Uses a cache in a heap that is full, some seconds long, lets the heap go again, and looks whether
 * the background work is done. A separate program, for the sake of its heap.
 */
final class HeapExhaustion {
  private static final int LENGTH = 4096;
  private static final int BLOCKS = 1000;
  private static final int FILES = 20;
  private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(6);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ByteBuffer block = ByteBuffer.allocate(LENGTH);
  private final ByteBuffer dst = ByteBuffer.allocate(LENGTH);
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(32 << 20)
          .policies(PolicyPreset.ADMIT_ALL)
          .maxBlockBytes(LENGTH)
          .expectedBlockBytes(LENGTH)
          .smallBypassDramBytes(0)
          .shadows(0.1)
          .build();

  /** The last of a chain of arrays that take up the heap. */
  private Object @Nullable [] ballast;

  private HeapExhaustion() {}

  public static void main(String[] arguments) throws Exception {
    new HeapExhaustion().run();
  }

  private void run() throws Exception {
    for (int i = 0; i < BLOCKS; i++) {
      offer(i);
    }
    long end = System.nanoTime() + FULL_NANOS;
    int exhausted = 0;
    while (System.nanoTime() < end) {
      exhausted += fill();
      try {
        use();
      } catch (OutOfMemoryError meant) {
        exhausted++;
      }
    }
    ballast = null;
    for (int file = 0; file < FILES; file++) {
      cache.invalidateFile(file);
    }
    // All blocks are of files that are gone, which only the background work takes note of; what
    // failed in the full heap is forgotten some looks later.
    long until = System.nanoTime() + PATIENCE_NANOS;
    while ((cache.stats().usedBytes() > 0
            || cache.control().health().secondsSinceMaintenance() > 5
            || !cache.control().conditions().isEmpty())
        && System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    List<String> threads = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().matches("nvcache-(maintenance|shadow)-.*")) {
        threads.add(thread.getName().replaceFirst("-\\d+$", ""));
      }
    }
    threads.sort(null);
    System.out.printf(
        Locale.ROOT,
        "exhausted=%b used=%d threads=%s conditions=%s%n",
        exhausted > 0,
        cache.stats().usedBytes(),
        threads,
        cache.control().conditions());
    cache.close();
  }

  private void offer(int block) {
    cache.offer(block % FILES, (long) block * LENGTH, this.block.clear(), Source.READ);
  }

  /** Until there is no room even for the least. */
  private int fill() {
    for (int size = 1 << 16; size > 0; size /= 4) {
      try {
        while (true) {
          Object[] more = new Object[size];
          more[0] = ballast;
          ballast = more;
        }
      } catch (OutOfMemoryError full) {
        continue;
      }
    }
    return 1;
  }

  private void use() {
    for (int i = 0; i < BLOCKS; i++) {
      cache.get(i % FILES, (long) i * LENGTH, dst.clear());
      cache.invalidate(i % FILES, (long) i * LENGTH);
      offer(i);
    }
  }
}
