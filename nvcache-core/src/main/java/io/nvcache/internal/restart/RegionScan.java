// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.background.DaemonThread;
import io.nvcache.background.Waiting;
import io.nvcache.internal.gate.CallGate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the ends of all regions that an earlier cache may have filled, with several threads
 * where there are many.
 */
public final class RegionScan {
  /** Regions for each thread: for fewer, another one does not pay. */
  private static final int REGIONS_PER_THREAD = 256;

  private final Supplier<RegionReader> readers;
  private final int threads;
  private final CallGate gate;

  /**
   * Makes a scan.
   *
   * @param readers each for one thread
   * @param threads that may look at regions at once
   */
  public RegionScan(Supplier<RegionReader> readers, int threads, CallGate gate) {
    this.readers = readers;
    this.threads = threads;
    this.gate = gate;
  }

  /** Returns a reader of regions for the calling thread. */
  RegionReader newReader() {
    return readers.get();
  }

  /**
   * Returns what was found of each region, nulls for those that could not be read; null instead of
   * all if the cache was closed before, perhaps.
   *
   * @param reader the calling thread's
   */
  RegionReader.@Nullable Found @Nullable [] look(RegionReader reader, int regions) {
    RegionReader.@Nullable Found[] seen = new RegionReader.@Nullable Found[regions];
    AtomicInteger next = new AtomicInteger();
    int helpers = Math.min(threads, seen.length / REGIONS_PER_THREAD) - 1;
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < helpers; i++) {
      Thread helper =
          DaemonThread.of("nvcache-restore-" + i, () -> look(readers.get(), next, seen));
      try {
        helper.start();
      } catch (OutOfMemoryError noMoreThreads) {
        break; // The others look at its share.
      }
      started.add(helper);
    }
    try {
      look(reader, next, seen);
    } finally {
      started.forEach(helper -> Waiting.join(helper, Long.MAX_VALUE));
    }
    return gate.isClosed() ? null : seen;
  }

  private void look(RegionReader by, AtomicInteger next, RegionReader.@Nullable Found[] seen) {
    int region = next.getAndIncrement();
    while (region < seen.length && !gate.isClosed()) {
      try {
        seen[region] = by.look(region);
      } catch (IOException | RuntimeException | InternalError failure) {
        seen[region] = null;
      }
      region = next.getAndIncrement();
    }
  }
}
