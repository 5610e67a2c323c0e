// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** The published LFRU rules, one by one: counters that each sweep lowers, every question asked. */
final class NaiveLfru {
  /** A block with the paper's two counters. */
  static final class Block {
    final long sizeBytes;
    boolean pinned;
    long references;
    long frequencyRecency = 1;

    Block(long sizeBytes) {
      this.sizeBytes = sizeBytes;
    }

    void hit() {
      references++;
      if (frequencyRecency < 0) {
        frequencyRecency = 0;
      }
      frequencyRecency++;
    }
  }

  private enum Verdict {
    EVICT,
    OTHER_REASON,
    NO_CANDIDATE
  }

  final TreeMap<Integer, Block> blocks = new TreeMap<>();
  long minReferences = 1_000;

  long usedBytes() {
    return blocks.values().stream().mapToLong(block -> block.sizeBytes).sum();
  }

  /**
   * One sweep.
   *
   * @param overheadIsHigh told how many blocks this sweep has evicted so far
   * @return the slots evicted, in order
   */
  List<Integer> sweep(long windowSeconds, long fullBytes, LongPredicate overheadIsHigh) {
    List<Integer> evicted = new ArrayList<>();
    boolean noCandidates = true;
    for (int slot : List.copyOf(blocks.keySet())) {
      Block block = blocks.get(slot);
      switch (judge(block, -windowSeconds, fullBytes, overheadIsHigh.test(evicted.size()))) {
        case EVICT -> {
          blocks.remove(slot);
          evicted.add(slot);
        }
        case OTHER_REASON -> {
          block.frequencyRecency--;
          noCandidates = false;
        }
        case NO_CANDIDATE -> block.frequencyRecency--;
      }
    }
    if (noCandidates) {
      minReferences += 20;
    }
    return evicted;
  }

  private Verdict judge(Block block, long aggressive, long fullBytes, boolean overheadIsHigh) {
    if (block.pinned) {
      return Verdict.OTHER_REASON;
    }
    if (block.frequencyRecency < aggressive && block.references < minReferences) {
      minReferences = block.references;
    }
    if (usedBytes() < fullBytes) {
      return Verdict.OTHER_REASON;
    }
    if (overheadIsHigh) {
      return Verdict.OTHER_REASON;
    }
    if (block.frequencyRecency < aggressive && block.references < minReferences + 20) {
      return Verdict.EVICT;
    }
    return Verdict.NO_CANDIDATE;
  }
}
