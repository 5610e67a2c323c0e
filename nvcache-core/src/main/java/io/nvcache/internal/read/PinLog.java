// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.PinnedBlock;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers who took each open pin, and names those who keep theirs for long or have it still when
 * the cache is closed. Costs a stack trace a pin.
 */
public final class PinLog {
  private static final Logger LOG = LoggerFactory.getLogger(PinLog.class);
  private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Taken> open = new ConcurrentHashMap<>();

  /** Who took a pin: the throwable was never thrown, its stack trace is the site. */
  private static final class Taken {
    final long fileId;
    final long offset;
    final long atNanos;
    final Throwable site;
    volatile boolean reported;

    Taken(long fileId, long offset, int length, long atNanos) {
      this.fileId = fileId;
      this.offset = offset;
      this.atNanos = atNanos;
      this.site =
          new Throwable(length + " bytes, taken by " + Thread.currentThread().getName() + " here");
    }
  }

  public PinLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Returns a pin that takes itself off the list when it is closed. Takes the given one over:
   * closes it if it can't be listed, since no caller can.
   */
  PinnedBlock list(PinnedBlock pin, long fileId, long offset) {
    try {
      return new ListedPin(pin, list(fileId, offset, pin.length()));
    } catch (RuntimeException | Error e) {
      pin.close();
      throw e;
    }
  }

  /** Lists a pin by a number that takes it off the list. */
  Long list(long fileId, long offset, int length) {
    Long number = numbers.incrementAndGet();
    open.put(number, new Taken(fileId, offset, length, nanoTime.getAsLong()));
    return number;
  }

  void remove(Long number) {
    open.remove(number);
  }

  public int openPins() {
    return open.size();
  }

  /** Names the pins that have been open for a minute, each once. */
  public void reportOld() {
    long now = nanoTime.getAsLong();
    open.values().stream()
        .filter(taken -> !taken.reported && now - taken.atNanos >= LONG_NANOS)
        .forEach(taken -> report(taken, now));
  }

  /** Names all that are open, the oldest first. */
  public void reportAll() {
    long now = nanoTime.getAsLong();
    open.values().stream()
        .sorted(Comparator.comparingLong(taken -> taken.atNanos))
        .forEach(taken -> report(taken, now));
  }

  private static void report(Taken taken, long now) {
    taken.reported = true;
    LOG.warn(
        "a pin of block {} of file {} is open for {} s",
        taken.offset,
        taken.fileId,
        TimeUnit.NANOSECONDS.toSeconds(now - taken.atNanos),
        taken.site);
  }

  private final class ListedPin implements PinnedBlock {
    private final PinnedBlock pin;
    private final Long number;

    ListedPin(PinnedBlock pin, Long number) {
      this.pin = pin;
      this.number = number;
    }

    @Override
    public int length() {
      return pin.length();
    }

    @Override
    public ByteBuffer buffer() {
      return pin.buffer();
    }

    @Override
    public void copyTo(ByteBuffer dst) {
      pin.copyTo(dst);
    }

    @Override
    public long getLong(int index) {
      return pin.getLong(index);
    }

    @Override
    public void close() {
      remove(number);
      pin.close();
    }
  }
}
