// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A kernel that reads one file of known bytes by io_uring, in any order, and fails as it is told.
 * Checks what a kernel would: that each entry is a read into memory, and that no ring is left.
 */
final class FakeUring extends UringCalls {
  static final int FILE = 77;

  /** What one entry into the kernel does, instead of what it is there for. */
  interface Entry {
    /** Returns the answer; may take and complete reads itself. */
    int enter(FakeRing ring, int taken, int complete);
  }

  /** The error of {@link #setup}; 0 for none. */
  int setupError;

  /** The error of the so-manieth mapping, counted from 0; none if it is negative. */
  int failedMapping = -1;

  int features = 3;

  /** What the next entries do, one each. */
  final Deque<Entry> script = new ArrayDeque<>();

  /**
   * Instead of the bytes of a read at a position: an error if it is negative, or a short length.
   */
  final Map<Long, Integer> faults = new HashMap<>();

  final Map<Integer, FakeRing> rings = new ConcurrentHashMap<>();
  final List<Integer> closed = new ArrayList<>();
  int entries;
  private final Random random;
  private int nextDescriptor = 100;
  private int mappings;

  FakeUring(long seed) {
    this.random = new Random(seed);
  }

  static byte byteAt(long position) {
    return (byte) (position * 31 + (position >>> 12));
  }

  /** The shared memory of one ring. */
  final class FakeRing {
    static final int SIZE = 64;
    private static final int HEADS = 0;
    private static final int NUMBERS = 64;
    private static final int COMPLETIONS = NUMBERS + SIZE * 4;

    final OffHeapBytes shared = OffHeapBytes.zeroed(COMPLETIONS + 2 * SIZE * 16, 4096);
    final OffHeapBytes queue = OffHeapBytes.zeroed(SIZE * 64L, 4096);
    final List<long[]> underWay = new ArrayList<>();
    int unmapped;

    /** Takes reads from the queue. */
    void take(int most) {
      int head = shared.getInt(HEADS);
      int tail = shared.getInt(HEADS + 4);
      for (int i = 0; i < most && head != tail; i++, head++) {
        long entry = queue.address() + 64L * shared.getInt(NUMBERS + 4L * (head & (SIZE - 1)));
        if (RawMemory.getByte(entry) != 22 || RawMemory.getInt(entry + 4) != FILE) {
          throw new AssertionError("an entry that is no read of the file");
        }
        underWay.add(
            new long[] {
              RawMemory.getLong(entry + 8),
              RawMemory.getLong(entry + 16),
              RawMemory.getInt(entry + 24),
              RawMemory.getLong(entry + 32)
            });
      }
      shared.putInt(HEADS, head);
    }

    /** Completes some of the reads that were taken, in any order. */
    void complete(int count) {
      for (int i = 0; i < count && !underWay.isEmpty(); i++) {
        long[] read = underWay.remove(random.nextInt(underWay.size()));
        int length = (int) read[2];
        int result = faults.getOrDefault(read[0], length);
        for (int at = 0; at < result; at++) {
          RawMemory.putByte(read[1] + at, byteAt(read[0] + at));
        }
        post(read[3], result);
      }
    }

    /** Puts a completion into the ring. */
    void post(long name, int result) {
      int tail = shared.getInt(HEADS + 12);
      if (tail - shared.getInt(HEADS + 8) == 2 * SIZE) {
        throw new AssertionError("more completions than there is room for");
      }
      long completion = shared.address() + COMPLETIONS + 16L * (tail & (2 * SIZE - 1));
      RawMemory.putLong(completion, name);
      RawMemory.putInt(completion + 8, result);
      shared.putInt(HEADS + 12, tail + 1);
    }

    int enter(int taken, int complete) {
      entries++;
      Entry scripted = script.poll();
      if (scripted != null) {
        return scripted.enter(this, taken, complete);
      }
      take(taken);
      complete(complete);
      return taken;
    }
  }

  @Override
  int open(Path path) {
    return FILE;
  }

  @Override
  void close(int descriptor) {
    closed.add(descriptor);
    rings.remove(descriptor);
  }

  @Override
  int setup(int size, long parameters) {
    if (setupError != 0) {
      return -setupError;
    }
    int descriptor = nextDescriptor++;
    FakeRing ring = new FakeRing();
    rings.put(descriptor, ring);
    RawMemory.putInt(parameters, FakeRing.SIZE);
    RawMemory.putInt(parameters + 4, 2 * FakeRing.SIZE);
    RawMemory.putInt(parameters + 20, features);
    int[] ofEntries = {0, 4, 16, 20, 0, 0, FakeRing.NUMBERS};
    int[] ofCompletions = {8, 12, 24, 20, 0, FakeRing.COMPLETIONS};
    for (int i = 0; i < ofEntries.length; i++) {
      RawMemory.putInt(parameters + 40 + 4L * i, ofEntries[i]);
    }
    for (int i = 0; i < ofCompletions.length; i++) {
      RawMemory.putInt(parameters + 80 + 4L * i, ofCompletions[i]);
    }
    ring.shared.putInt(16, FakeRing.SIZE - 1);
    ring.shared.putInt(24, 2 * FakeRing.SIZE - 1);
    return descriptor;
  }

  @Override
  long map(int ring, long lengthBytes, long offset) {
    if (mappings++ == failedMapping) {
      return -12;
    }
    FakeRing its = rings.get(ring);
    OffHeapBytes memory = offset == 0 ? its.shared : its.queue;
    if (lengthBytes > memory.sizeBytes()) {
      throw new AssertionError(lengthBytes + " bytes mapped of " + memory.sizeBytes());
    }
    return memory.address();
  }

  @Override
  void unmap(long address, long lengthBytes) {
    rings.values().stream()
        .filter(ring -> ring.shared.address() == address || ring.queue.address() == address)
        .forEach(ring -> ring.unmapped++);
  }

  @Override
  Entrance entrance(int ring) {
    FakeRing its = rings.get(ring);
    return (taken, complete, flags) -> its.enter(taken, complete);
  }

  @Override
  String text(int error) {
    return "error " + error;
  }
}
