// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says how far a file is filled, where that takes long enough for somebody to wonder. */
final class FillProgress {
  private static final Logger LOG = LoggerFactory.getLogger(FillProgress.class);
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long from;
  private final long to;
  private final LongSupplier nanoTime;
  private final long began;
  private long next;

  /** Begins with nothing filled between the two places. */
  FillProgress(long from, long to, LongSupplier nanoTime) {
    this.from = from;
    this.to = to;
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
    this.next = began + FIRST_NANOS;
  }

  /** It is filled up to here. */
  void reached(long at) {
    long now = nanoTime.getAsLong();
    if (now - next >= 0) {
      next = now + PERIOD_NANOS;
      double seconds = Math.max(1e-9, (now - began) * 1e-9);
      LOG.info(
          "a file is filled with zeros, once: {} of {} bytes in {} s, {} MB/s",
          at - from,
          to - from,
          Math.round(seconds),
          Math.round((at - from) / seconds / 1e6));
    }
  }
}
