// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * A disk with a volatile cache, in memory: what was written is read back at once, and survives the
 * loss of power for certain only once it was persisted. Of what was not, each sector of 512 bytes
 * survives or not by itself, in any order: writes are dropped, reordered and torn.
 *
 * <p>An observer is called before each write and each flush, and may take images of what a loss of
 * power would leave at that moment.
 */
public final class CrashDisk implements Medium {
  static final int SECTOR = 512;
  private static final int ALIGNMENT = 4096;

  private final byte[] now;
  private final byte[] stable;
  private final List<Write> pending = new ArrayList<>();
  private Runnable observer = () -> {};
  private final List<Discard> discards = new ArrayList<>();
  private final SplittableRandom scribbles = new SplittableRandom(9);
  private boolean failsDiscards;
  private boolean ignoresFlushes;
  private int operations;

  private record Write(int at, byte[] bytes) {}

  /**
   * A range that the disk was told to forget, and was to fail to.
   *
   * @param thread the name of who told it
   */
  public record Discard(long offset, long length, String thread) {}

  /** An empty disk. */
  public CrashDisk(int capacityBytes) {
    this(new byte[capacityBytes]);
  }

  /** A disk that has these bytes. */
  public CrashDisk(byte[] image) {
    this.now = image.clone();
    this.stable = image.clone();
  }

  /** Has an observer called before each write and each flush. */
  public CrashDisk observedBy(Runnable observer) {
    this.observer = observer;
    return this;
  }

  /** Has flushes do nothing, as some drives have it. */
  public CrashDisk ignoringFlushes() {
    this.ignoresFlushes = true;
    return this;
  }

  /** Has discards fail. */
  public synchronized void failDiscards() {
    failsDiscards = true;
  }

  /** Returns all discards, those that failed, too. */
  public synchronized List<Discard> discards() {
    return List.copyOf(discards);
  }

  /** Returns how many writes and flushes there were. */
  public synchronized int operations() {
    return operations;
  }

  /** Returns what the end of the process leaves: all that was written. */
  public synchronized byte[] afterKill() {
    return now.clone();
  }

  /** Returns what the loss of power may leave. */
  public synchronized byte[] afterPowerLoss(SplittableRandom random) {
    byte[] image = stable.clone();
    List<Write> order = new ArrayList<>(pending);
    double survives = random.nextInt(5) / 4.0; // None at all and all of it, too.
    boolean reorders = random.nextBoolean();
    while (!order.isEmpty()) {
      Write write = order.remove(reorders ? random.nextInt(order.size()) : 0);
      boolean whole = random.nextBoolean(); // Or each sector by itself.
      boolean stays = random.nextDouble() < survives;
      for (int at = 0; at < write.bytes.length; at += SECTOR) {
        if (whole ? stays : random.nextDouble() < survives) {
          int length = Math.min(SECTOR, write.bytes.length - at);
          System.arraycopy(write.bytes, at, image, write.at + at, length);
        }
      }
    }
    return image;
  }

  @Override
  public long capacityBytes() {
    return now.length;
  }

  @Override
  public int alignmentBytes() {
    return ALIGNMENT;
  }

  @Override
  public synchronized void read(long offset, ByteBuffer dst, int length) {
    Objects.checkFromIndexSize(offset, length, now.length);
    dst.put(dst.position(), now, (int) offset, length);
  }

  @Override
  public boolean readsInto(ByteBuffer dst, int dstPosition) {
    return true;
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, now.length);
    if (offset % ALIGNMENT != 0) {
      throw new IOException("a write at " + offset + ", which is no multiple of " + ALIGNMENT);
    }
    observer.run();
    byte[] bytes = new byte[length];
    src.get(srcPosition, bytes);
    synchronized (this) {
      operations++;
      System.arraycopy(bytes, 0, now, (int) offset, length);
      pending.add(new Write((int) offset, bytes));
    }
  }

  @Override
  public void prepareDiscards() {}

  /** Leaves of each sector what it held, zeros, or anything. */
  @Override
  public void discard(long offset, long length) throws IOException {
    Objects.checkFromIndexSize(offset, length, now.length);
    if ((offset | length) % ALIGNMENT != 0) {
      throw new IOException("a discard of " + length + " bytes at " + offset);
    }
    observer.run();
    synchronized (this) {
      operations++;
      discards.add(new Discard(offset, length, Thread.currentThread().getName()));
      if (failsDiscards) {
        throw new IOException("injected");
      }
      for (int at = (int) offset; at < offset + length; at += SECTOR) {
        byte[] left = new byte[SECTOR];
        switch (scribbles.nextInt(3)) {
          case 0 -> System.arraycopy(now, at, left, 0, SECTOR);
          case 1 -> scribbles.nextBytes(left);
          default -> {} // Zeros.
        }
        System.arraycopy(left, 0, now, at, SECTOR);
        pending.add(new Write(at, left));
      }
    }
  }

  @Override
  public void persist(long offset, long length) {
    observer.run();
    synchronized (this) {
      operations++;
      if (!ignoresFlushes) {
        System.arraycopy(now, 0, stable, 0, now.length);
        pending.clear();
      }
    }
  }

  @Override
  public long address(long offset, long length) {
    return 0;
  }

  @Override
  public Durability durability() {
    return Durability.POWER_FAIL;
  }

  @Override
  public WriteCost writeCost() {
    return WriteCost.FREE_REMOVALS;
  }

  @Override
  public int regionBytes() {
    return 64 << 10;
  }

  @Override
  public String describe() {
    return "model disk, " + now.length + " bytes";
  }

  @Override
  public void close() {}
}
