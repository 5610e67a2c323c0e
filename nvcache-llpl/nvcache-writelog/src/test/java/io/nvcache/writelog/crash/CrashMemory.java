// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Memory behind a cache that loses its contents. A store lies in the cache; {@code persist} writes
 * lines to the medium. At a crash each 8-byte word that was not written back is kept or lost by
 * itself, which is harsher than x86 and right for ARM. A word may also reach the medium before it
 * is written back.
 */
final class CrashMemory implements LogMemory {
  private static final int WORD = 8;
  private static final int LINE = 64;

  private final CrashClock clock;
  private final SplittableRandom random;
  private final PlantedFault fault;
  private final Region head;
  private final Region[] lanes;

  CrashMemory(LogLayout layout, CrashClock clock, SplittableRandom random, PlantedFault fault) {
    this.clock = clock;
    this.random = random;
    this.fault = fault;
    this.head = new Region(layout.headBytes(), false);
    this.lanes = new Region[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Region(layout.laneBytes(), true);
    }
  }

  @Override
  public LogRegion head() {
    return head;
  }

  @Override
  public LogRegion lane(int index) {
    return lanes[index];
  }

  @Override
  public void close() {}

  /** The power goes, and comes back. */
  void crash() {
    head.crash();
    for (Region lane : lanes) {
      lane.crash();
    }
  }

  private final class Region implements LogRegion {
    private final ByteBuffer cache;
    private final ByteBuffer medium;
    private final BitSet dirty = new BitSet();
    private final boolean isLane;
    private int lateFrom;
    private int lateLength;

    Region(int bytes, boolean isLane) {
      this.cache = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      this.medium = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      this.isLane = isLane;
    }

    @Override
    public int bytes() {
      return cache.capacity();
    }

    @Override
    public long getLong(int at) {
      return cache.getLong(at);
    }

    @Override
    public void putLong(int at, long value) {
      touch(at, WORD);
      cache.putLong(at, value);
    }

    @Override
    public int getInt(int at) {
      if (isLane && fault == PlantedFault.SUM_IGNORED && (at % LINE == 44 || at % LINE == 60)) {
        return at % LINE == 44 ? sumOf(at - 44, at, at + 4, 16) : payloadSumOf(at - 60);
      }
      if (isLane && fault == PlantedFault.EPOCH_IGNORED && at % LINE == 40) {
        return (int) head.getLong(2 * LogLayout.SUPERBLOCK_BYTES);
      }
      return cache.getInt(at);
    }

    private int sumOf(int at, int to, int from, int length) {
      CRC32C sum = new CRC32C();
      sum.update(view(at, to - at));
      sum.update(view(from, length));
      return (int) sum.getValue();
    }

    private int payloadSumOf(int at) {
      CRC32C sum = new CRC32C();
      sum.update(view(at + LINE, cache.getInt(at + 12)));
      return (int) sum.getValue();
    }

    @Override
    public void putInt(int at, int value) {
      touch(at, Integer.BYTES);
      cache.putInt(at, value);
    }

    @Override
    public void put(int at, ByteBuffer source, int from, int length) {
      clock.step();
      touch(at, length);
      cache.put(at, source, from, length);
    }

    @Override
    public void get(int at, ByteBuffer target, int to, int length) {
      target.put(to, cache, at, length);
    }

    @Override
    public void sum(CRC32C sum, int at, int length) {
      sum.update(cache.array(), at, length);
    }

    @Override
    public ByteBuffer view(int at, int length) {
      return cache.slice(at, length).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void persist(int at, int length) {
      clock.step();
      if (isLane && fault == PlantedFault.FLUSHED_TOO_LATE) {
        toMedium(lateFrom, lateLength);
        lateFrom = at;
        lateLength = length;
      } else if (isLane && fault == PlantedFault.PAYLOAD_NOT_FLUSHED) {
        toMedium(at, Math.min(length, LINE));
      } else if (!isForgotten(at, length)) {
        toMedium(at, length);
      }
      clock.step();
    }

    private boolean isForgotten(int at, int length) {
      int state = 2 * LogLayout.SUPERBLOCK_BYTES;
      return switch (fault) {
        case RECORD_NOT_FLUSHED -> isLane;
        case RECOVERY_FLUSH_LEFT_OUT -> length == bytes();
        case DRAINED_SEQ_NOT_FLUSHED -> !isLane && at == state + LINE;
        case TAILS_NOT_FLUSHED -> !isLane && at == state + 2 * LINE;
        case TABLE_NOT_FLUSHED -> !isLane && at >= 3 * LogLayout.SUPERBLOCK_BYTES;
        default -> false;
      };
    }

    /** A crash may come between two lines. */
    private void toMedium(int at, int length) {
      if (length == 0) {
        return;
      }
      int begin = at / LINE * (LINE / WORD);
      int end = (at + length + LINE - 1) / LINE * (LINE / WORD);
      for (int word = dirty.nextSetBit(begin);
          word >= 0 && word < end;
          word = dirty.nextSetBit(word + 1)) {
        medium.putLong(word * WORD, cache.getLong(word * WORD));
      }
      dirty.clear(begin, end);
    }

    /** What is overwritten may have reached the medium before. */
    private void touch(int at, int length) {
      int begin = at / WORD;
      int end = (at + length + WORD - 1) / WORD;
      for (int word = dirty.nextSetBit(begin);
          word >= 0 && word < end;
          word = dirty.nextSetBit(word + 1)) {
        if (random.nextInt(4) == 0) {
          medium.putLong(word * WORD, cache.getLong(word * WORD));
        }
      }
      dirty.set(begin, end);
    }

    private void crash() {
      int keepOneIn = 1 + random.nextInt(4);
      for (int word = dirty.nextSetBit(0); word >= 0; word = dirty.nextSetBit(word + 1)) {
        if (random.nextInt(keepOneIn) == 0) {
          medium.putLong(word * WORD, cache.getLong(word * WORD));
        } else {
          cache.putLong(word * WORD, medium.getLong(word * WORD));
        }
      }
      dirty.clear();
      lateLength = 0;
    }
  }
}
