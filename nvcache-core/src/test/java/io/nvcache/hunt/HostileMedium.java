// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.medium.Durability;
import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A medium that lies about itself and throws what it likes, but gives no bytes that are not those
 * written: without a checksum nobody could tell.
 */
final class HostileMedium extends ForwardingMedium {
  private final Random random;
  private final boolean inPlace;
  private final AtomicInteger closes = new AtomicInteger();

  /** Which of the things that are asked once is a lie; none if negative. */
  private final int lie;

  private volatile boolean armed;

  HostileMedium(long capacityBytes, Random random, int lie) {
    super(NativeMedium.allocate(capacityBytes));
    this.random = new Random(random.nextLong());
    this.inPlace = random.nextBoolean();
    this.lie = lie;
  }

  static final int LIES = 12;

  /** From now on it fails now and then. */
  void arm() {
    armed = true;
  }

  int closes() {
    return closes.get();
  }

  private synchronized int dice(int sides) {
    return random.nextInt(sides);
  }

  private void maybeFail() throws IOException {
    if (!armed) {
      return;
    }
    switch (dice(64)) {
      case 0 -> throw Planted.ioException();
      case 1 -> throw Planted.exception();
      case 2 -> throw Planted.mute();
      case 3 -> throw Planted.error();
      case 4 -> throw new InternalError("planted");
      default -> {}
    }
  }

  @Override
  public long capacityBytes() {
    return switch (lie) {
      case 0 -> throw Planted.error();
      case 1 -> -1;
      case 2 -> 0;
      case 3 -> Long.MAX_VALUE;
      case 4 -> 8 * inner().capacityBytes();
      default -> inner().capacityBytes();
    };
  }

  @Override
  public int alignmentBytes() {
    return switch (lie) {
      case 5 -> 0;
      case 6 -> -8;
      case 7 -> 24;
      case 8 -> Integer.MIN_VALUE;
      default -> inner().alignmentBytes();
    };
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    maybeFail();
    inner().read(offset, dst, length);
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    maybeFail();
    inner().write(offset, src, srcPosition, length);
    maybeFail();
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    maybeFail();
  }

  @Override
  public long address(long offset, long length) {
    return inPlace ? inner().address(offset, length) : 0;
  }

  @Override
  public @Nullable Durability durability() {
    return switch (lie) {
      case 9 -> null;
      case 10 -> throw Planted.exception();
      default -> inner().durability();
    };
  }

  @Override
  public @Nullable WriteCost writeCost() {
    return lie == 11 ? null : inner().writeCost();
  }

  @Override
  public void check() throws IOException {
    maybeFail();
  }

  @Override
  public String describe() {
    if (armed && dice(2) == 0) {
      throw Planted.mute();
    }
    return inner().describe();
  }

  @Override
  public void retire() {
    if (armed && dice(2) == 0) {
      throw Planted.mute();
    }
  }

  @Override
  public void close() {
    closes.incrementAndGet();
    inner().close();
    if (armed && dice(2) == 0) {
      throw dice(2) == 0 ? Planted.exception() : Planted.mute();
    }
  }
}
