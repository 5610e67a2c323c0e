// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Puts faults between a cache and its medium, each at the same rate per operation, and counts them.
 * Where it shows the memory's addresses, reads and pins of blocks do not suffer.
 */
final class InjectingMedium extends ForwardingMedium {
  /** Stalls and outages last for long, so they come this much seldomer. */
  private static final int SELDOMER = 200;

  private static final long OUTAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** Whether the memory's addresses are known. */
  enum Addresses {
    SHOWN,
    HIDDEN
  }

  private final Addresses addresses;
  private final Set<StressFault> faults;
  private final double rate;
  private final long stallMillis;
  private final Map<StressFault, LongAdder> injected;
  private final Runnable closed;
  private volatile long outageBegan = System.nanoTime() - OUTAGE_NANOS;

  InjectingMedium(
      Medium inner,
      Addresses addresses,
      Set<StressFault> faults,
      double rate,
      long stallMillis,
      Map<StressFault, LongAdder> injected,
      Runnable closed) {
    super(inner);
    this.addresses = addresses;
    this.faults = faults;
    this.rate = rate;
    this.stallMillis = stallMillis;
    this.injected = injected;
    this.closed = closed;
  }

  private boolean suffers(StressFault fault) {
    if (!faults.contains(fault)) {
      return false;
    }
    boolean lasts = fault == StressFault.STALL || fault == StressFault.OUTAGE;
    double chance = lasts ? rate / SELDOMER : rate;
    if (ThreadLocalRandom.current().nextDouble() >= chance) {
      return false;
    }
    LongAdder count = injected.get(fault);
    if (count != null) {
      count.increment();
    }
    return true;
  }

  private void lastingFaults() throws IOException {
    if (suffers(StressFault.OUTAGE)) {
      outageBegan = System.nanoTime();
    }
    if (System.nanoTime() - outageBegan < OUTAGE_NANOS) {
      throw new IOException("injected outage");
    }
    if (suffers(StressFault.LATENCY)) {
      pause(1 + ThreadLocalRandom.current().nextInt(5));
    }
    if (suffers(StressFault.STALL)) {
      pause(stallMillis);
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    lastingFaults();
    if (suffers(StressFault.READ_ERROR)) {
      throw new IOException("injected read error");
    }
    inner().read(offset, dst, suffers(StressFault.SHORT_READ) ? length / 2 : length);
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    lastingFaults();
    if (suffers(StressFault.WRITE_ERROR)) {
      throw new IOException("injected write error");
    }
    if (suffers(StressFault.OUT_OF_SPACE)) {
      inner().write(offset, src, srcPosition, length / 2);
      throw new IOException("No space left on device (injected)");
    }
    inner().write(offset, src, srcPosition, suffers(StressFault.TORN_WRITE) ? length / 2 : length);
    if (suffers(StressFault.BIT_FLIP)) {
      flip(offset + ThreadLocalRandom.current().nextInt(length));
    }
  }

  /** Writes begin at the medium's granules; no two blocks share one. */
  private void flip(long offset) throws IOException {
    long from = offset & -inner().alignmentBytes();
    int length = (int) (offset - from) + 1;
    ByteBuffer bytes = ByteBuffer.allocate(inner().alignmentBytes());
    inner().read(from, bytes, bytes.capacity());
    byte flipped =
        (byte) (bytes.get(length - 1) ^ 1 << ThreadLocalRandom.current().nextInt(Byte.SIZE));
    inner().write(from, bytes.put(length - 1, flipped), 0, bytes.capacity());
  }

  @Override
  public long address(long offset, long length) {
    return addresses == Addresses.SHOWN ? inner().address(offset, length) : 0;
  }

  @Override
  public String describe() {
    return inner().describe() + ", with faults";
  }

  @Override
  public void close() {
    inner().close();
    closed.run();
  }
}
