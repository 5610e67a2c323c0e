// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Shares a device's bandwidth among the accesses under way, in real or virtual time.
 *
 * <p>Processor sharing: all readers progress at one rate and all writers at another, and both rates
 * change whenever an access begins or ends. So one integral for each class, the bytes that an
 * access present since the beginning would have moved, gives the progress of any access from its
 * value at the start. An access that overlaps a write for a part of its time is slowed for that
 * part only.
 *
 * <p>An access ends when its bytes are through, not when its thread comes to notice: on a machine
 * with more threads than processors that may be milliseconds later, while the device is free.
 *
 * <p>Thread-safe: everything mutable is guarded by {@code this}, held for a few hundred
 * nanoseconds.
 */
final class SharedBandwidth {
  /** The two classes of access. */
  enum Direction {
    READ,
    WRITE
  }

  private static final double NANOS_PER_SECOND = 1e9;

  private final NvramSpeeds speeds;
  private final LongSupplier nanoTime;
  private final Line reads = new Line();
  private final Line writes = new Line();
  private long lastNanos;
  private double accessNanos;

  SharedBandwidth(NvramSpeeds speeds, LongSupplier nanoTime) {
    this.speeds = speeds;
    this.nanoTime = nanoTime;
    this.lastNanos = nanoTime.getAsLong();
  }

  /**
   * Begins an access.
   *
   * @return the value of its class's integral at which it is done
   */
  synchronized double begin(Direction direction, int lengthBytes) {
    advance();
    Line line = line(direction);
    double doneAt = line.movedBytes + lengthBytes;
    line.ends.add(doneAt);
    return doneAt;
  }

  /** Nanoseconds an access still needs if no access comes or goes; 0 once it is done. */
  synchronized long nanosLeft(Direction direction, double doneAt) {
    advance();
    double left = doneAt - line(direction).movedBytes;
    return left <= 0 ? 0 : (long) Math.ceil(left / rate(direction) * NANOS_PER_SECOND);
  }

  /** Takes an access out that failed; does nothing to one that is done. */
  synchronized void end(Direction direction, double doneAt) {
    advance();
    if (doneAt > line(direction).movedBytes) {
      line(direction).ends.remove(doneAt);
    }
  }

  /** How long all accesses so far took together, those under way included. */
  synchronized double accessNanos() {
    advance();
    return accessNanos;
  }

  private void advance() {
    long now = nanoTime.getAsLong();
    double left = Math.max(0, now - lastNanos) / NANOS_PER_SECOND;
    lastNanos = now;
    while (left > 0 && !(reads.ends.isEmpty() && writes.ends.isEmpty())) {
      double readRate = rate(Direction.READ);
      double writeRate = rate(Direction.WRITE);
      double readEnds = reads.secondsToFirstEnd(readRate);
      double writeEnds = writes.secondsToFirstEnd(writeRate);
      double step = Math.min(left, Math.min(readEnds, writeEnds));
      accessNanos += step * NANOS_PER_SECOND * (reads.ends.size() + writes.ends.size());
      reads.move(readRate * step, readEnds <= step);
      writes.move(writeRate * step, writeEnds <= step);
      left -= step;
    }
  }

  private double rate(Direction direction) {
    int readers = reads.ends.size();
    int writers = writes.ends.size();
    if (line(direction).ends.isEmpty()) {
      return 0;
    }
    return direction == Direction.READ
        ? speeds.readerBytesPerSecond(readers, writers)
        : speeds.writerBytesPerSecond(readers, writers);
  }

  private Line line(Direction direction) {
    return direction == Direction.READ ? reads : writes;
  }

  /** The accesses of one class. */
  private static final class Line {
    /** Values of the integral at which the accesses under way end. */
    final PriorityQueue<Double> ends = new PriorityQueue<>();

    /** The integral. */
    double movedBytes;

    double secondsToFirstEnd(double rate) {
      Double first = ends.peek();
      return first == null ? Double.POSITIVE_INFINITY : (first - movedBytes) / rate;
    }

    void move(double bytes, boolean toFirstEnd) {
      Double first = toFirstEnd ? ends.poll() : null;
      // Exactly, or a rounding error would leave the access a billionth of a byte.
      movedBytes = first == null ? movedBytes + bytes : first;
    }
  }
}
