// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import io.nvcache.device.SharedBandwidth.Direction;
import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A medium as slow as Optane memory: keeps its bytes on another medium and makes every access last
 * as long as {@link NvramSpeeds} says for the readers and writers under way at each moment, in real
 * time. Latency below bandwidth (0.2–0.3 µs per access) is not modelled.
 *
 * <p>Gives no {@link #address}, so that no access can pass it by.
 */
public final class EmulatedNvramMedium extends ForwardingMedium {
  /** Optane's write granule. */
  private static final int XPLINE_BYTES = 256;

  private static final long WAKE_UP_NANOS = 60_000;
  private static final long SLEEP_FROM_NANOS = WAKE_UP_NANOS + 50_000;

  /** Others come and go, and change the speed: look again at least this often. */
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;

  private static final long LONGEST_SPIN_NANOS = 2_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final NvramSpeeds speeds;
  private final SharedBandwidth bandwidth;
  private final LongConsumer pause;
  private final LongAdder processorNanos = new LongAdder();

  /**
   * Slows a medium down.
   *
   * @param bytes holds the bytes, and is closed with this medium
   * @param speeds how fast accesses may be
   */
  public EmulatedNvramMedium(Medium bytes, NvramSpeeds speeds) {
    this(bytes, speeds, System::nanoTime, EmulatedNvramMedium::pause);
  }

  EmulatedNvramMedium(Medium bytes, NvramSpeeds speeds, LongSupplier nanoTime, LongConsumer pause) {
    super(bytes);
    if (inner().capacityBytes() % XPLINE_BYTES != 0) {
      throw new IllegalArgumentException(
          "capacityBytes is "
              + inner().capacityBytes()
              + "; it must be a multiple of "
              + XPLINE_BYTES);
    }
    this.speeds = speeds;
    this.bandwidth = new SharedBandwidth(speeds, nanoTime);
    this.pause = pause;
  }

  @Override
  public int alignmentBytes() {
    return Math.max(XPLINE_BYTES, inner().alignmentBytes());
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes());
    long processorBefore = THREADS.getCurrentThreadCpuTime();
    double doneAt = bandwidth.begin(Direction.READ, length);
    try {
      inner().read(offset, dst, length);
      waitFor(Direction.READ, doneAt);
    } finally {
      bandwidth.end(Direction.READ, doneAt);
      processorNanos.add(THREADS.getCurrentThreadCpuTime() - processorBefore);
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes());
    long processorBefore = THREADS.getCurrentThreadCpuTime();
    double doneAt = bandwidth.begin(Direction.WRITE, length);
    try {
      inner().write(offset, src, srcPosition, length);
      waitFor(Direction.WRITE, doneAt);
    } finally {
      bandwidth.end(Direction.WRITE, doneAt);
      processorNanos.add(THREADS.getCurrentThreadCpuTime() - processorBefore);
    }
  }

  /**
   * Returns how long the accesses so far took the emulated device, in nanoseconds, as {@link
   * NvramSpeeds} has it: not how long their threads took, which may have waited for a processor.
   */
  public long deviceNanos() {
    return Math.round(bandwidth.accessNanos());
  }

  /**
   * Returns the processor time in nanoseconds that the accesses so far took their threads, most of
   * it spent waiting for the device's time to pass.
   */
  public long processorNanos() {
    return processorNanos.sum();
  }

  private void waitFor(Direction direction, double doneAt) {
    for (long left = bandwidth.nanosLeft(direction, doneAt);
        left > 0;
        left = bandwidth.nanosLeft(direction, doneAt)) {
      pause.accept(left);
    }
  }

  /**
   * Waits in real time, for at most so long, exact to about a microsecond. A sleeping thread wakes
   * some 50 µs late, so only waits with room for that are slept, and the rest is spun, as a load
   * from slow memory would stall the core.
   */
  private static void pause(long nanos) {
    if (nanos >= SLEEP_FROM_NANOS) {
      LockSupport.parkNanos(Math.min(nanos - WAKE_UP_NANOS, LONGEST_SLEEP_NANOS));
      return;
    }
    long start = System.nanoTime();
    long spinNanos = Math.min(nanos, LONGEST_SPIN_NANOS);
    while (System.nanoTime() - start < spinNanos) {
      Thread.onSpinWait();
    }
  }

  @Override
  public long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes());
    return 0;
  }

  @Override
  public WriteCost writeCost() {
    return WriteCost.OPTANE;
  }

  @Override
  public String describe() {
    return "emulated NVRAM, speed × " + speeds.scale() + ", on " + inner().describe();
  }
}
