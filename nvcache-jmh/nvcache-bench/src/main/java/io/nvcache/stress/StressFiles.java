// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/** The store of a stress run: files that are replaced, and blocks whose place is written again. */
final class StressFiles {
  static final int FILES = 48;
  static final int BLOCKS = 192;

  private static final int LOCKS = 1024;

  private final AtomicLong lastId = new AtomicLong();
  private final AtomicReferenceArray<Incarnation> files = new AtomicReferenceArray<>(FILES);
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  /** A file from its creation to its deletion, and the version of each of its blocks. */
  static final class Incarnation {
    final long fileId;
    final AtomicIntegerArray versions = new AtomicIntegerArray(BLOCKS);

    Incarnation(long fileId) {
      this.fileId = fileId;
    }
  }

  StressFiles() {
    for (int i = 0; i < FILES; i++) {
      files.set(i, new Incarnation(lastId.incrementAndGet()));
    }
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  Incarnation file(int number) {
    return files.get(number);
  }

  /** Puts a new file in an old one's place, and returns the old one. */
  Incarnation replace(int number) {
    return files.getAndSet(number, new Incarnation(lastId.incrementAndGet()));
  }

  long lastId() {
    return lastId.get();
  }

  /** What orders offers and invalidations of one block, as the cache's contract demands. */
  ReentrantLock lock(long fileId, int block) {
    return locks[(int) ((fileId * BLOCKS + block) & (LOCKS - 1))];
  }

  static long offset(int block) {
    return (long) block * StressBlock.MAX_BYTES;
  }
}
