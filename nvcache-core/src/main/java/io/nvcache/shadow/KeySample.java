// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.Source;
import io.nvcache.stats.StripedCounters;
import org.jspecify.annotations.Nullable;

/**
 * The sample of the keys, asked on every call of the cache: two multiplications and a comparison,
 * and nothing more for keys that are not in it.
 *
 * <p>Spatial sampling as in SHARDS: a key is in the sample if its hash is below a threshold. So all
 * events of one key are taken or none, and raising the threshold only adds keys.
 */
public final class KeySample {
  /** What an event is, in the low bits of its meta word. */
  static final int HIT = 0;

  static final int MISS = 1;
  static final int OFFER = 2;
  static final int INVALIDATION = 3;
  static final int FILE_GONE = 4;

  private static final int OP_BITS = 3;
  private static final int SOURCE_BITS = 3;
  private static final int OP_MASK = (1 << OP_BITS) - 1;
  private static final int SOURCE_MASK = (1 << SOURCE_BITS) - 1;
  private static final Source[] SOURCES = Source.values();

  private final StripedCounters counters;

  /** What is done when a ring is half full. */
  private volatile Runnable reader = () -> {};

  /** Null while nothing is sampled. Plain: a call may see a change late, and drop its event. */
  private @Nullable EventRings rings;

  /** 0 while nothing is sampled. Plain as well. */
  private long threshold;

  public KeySample(StripedCounters counters) {
    this.counters = counters;
  }

  /** Starts to sample. */
  void start(double ratio, EventRings into, Runnable whenHalfFull) {
    reader = whenHalfFull;
    rings = into;
    threshold = (long) (ratio * 0x1p63);
  }

  void stop() {
    threshold = 0;
    rings = null;
  }

  /** Returns whether events of this key are reported. */
  public boolean has(long fileId, long offset) {
    long limit = threshold;
    return limit != 0 && hash(fileId, offset) < limit;
  }

  /** Returns whether anything is sampled at all. */
  public boolean isOn() {
    return threshold != 0;
  }

  /**
   * 63 bits. Shares no constants with the hashes that policies and miniatures use: to them, sampled
   * keys must look like any others.
   */
  static long hash(long fileId, long offset) {
    long h = fileId * 0x9fb21c651e98df25L ^ offset * 0xa0761d6478bd642fL;
    h ^= h >>> 32;
    h *= 0xe7037ed1a0b428dbL;
    return h >>> 1;
  }

  /**
   * Notes that a sampled lookup found its block; {@code lengthBytes} is 0 if only a part of it was
   * asked for.
   */
  public void hit(long fileId, long offset, int lengthBytes, int stripe) {
    write(stripe, fileId, offset, meta(HIT, 0, lengthBytes));
  }

  /** Notes that a sampled lookup did not find its block. */
  public void miss(long fileId, long offset, int stripe) {
    write(stripe, fileId, offset, MISS);
  }

  /** Notes that a sampled block was offered, whatever became of it. */
  @SuppressWarnings("EnumOrdinal") // Lives in this process only.
  public void offer(long fileId, long offset, int lengthBytes, Source source, int stripe) {
    write(stripe, fileId, offset, meta(OFFER, source.ordinal(), lengthBytes));
  }

  /** Notes that a sampled block was forgotten on the store's word. */
  public void invalidation(long fileId, long offset, int stripe) {
    write(stripe, fileId, offset, INVALIDATION);
  }

  /** Notes that a file was forgotten on the store's word. */
  public void fileGone(long fileId) {
    write(counters.stripe(), fileId, 0, FILE_GONE);
  }

  private void write(int stripe, long fileId, long offset, long meta) {
    EventRings into = rings;
    if (into == null) {
      return;
    }
    int ring = counters.index(stripe);
    boolean halfFull =
        counters.owns(stripe)
            ? into.write(ring, fileId, offset, meta)
            : into.writeShared(ring, fileId, offset, meta);
    if (halfFull) {
      reader.run();
    }
  }

  private static long meta(int op, int source, int lengthBytes) {
    return (long) lengthBytes << (OP_BITS + SOURCE_BITS) | (long) source << OP_BITS | op;
  }

  static int op(long meta) {
    return (int) meta & OP_MASK;
  }

  static Source source(long meta) {
    return SOURCES[(int) (meta >>> OP_BITS) & SOURCE_MASK];
  }

  static int lengthBytes(long meta) {
    return (int) (meta >>> (OP_BITS + SOURCE_BITS));
  }
}
