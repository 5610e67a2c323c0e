// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** The policies once more, written from their papers with lists and maps. */
final class NaiveCaches {
  private NaiveCaches() {}

  static LongPredicate lru(int capacity) {
    LinkedHashMap<Long, Boolean> blocks = new LinkedHashMap<>(16, 0.75f, true);
    return block -> {
      if (blocks.get(block) != null) {
        return true;
      }
      if (blocks.size() == capacity) {
        blocks.remove(blocks.keySet().iterator().next());
      }
      blocks.put(block, true);
      return false;
    };
  }

  static LongPredicate fifo(int capacity) {
    LinkedHashSet<Long> blocks = new LinkedHashSet<>();
    return block -> {
      if (blocks.contains(block)) {
        return true;
      }
      if (blocks.size() == capacity) {
        blocks.remove(blocks.iterator().next());
      }
      blocks.add(block);
      return false;
    };
  }

  static LongPredicate sieve(int capacity) {
    return new Sieve(capacity)::request;
  }

  static LongPredicate s3Fifo(int capacity) {
    return new S3(capacity)::request;
  }

  /** NSDI '24, Algorithm 1; the list has its head, the newest, first. */
  private static final class Sieve {
    private final int capacity;
    private final List<Long> queue = new ArrayList<>();
    private final Set<Long> visited = new HashSet<>();
    private Long hand = -1L;

    Sieve(int capacity) {
      this.capacity = capacity;
    }

    boolean request(long block) {
      if (queue.contains(block)) {
        visited.add(block);
        return true;
      }
      if (queue.size() == capacity) {
        int at = hand == -1 ? queue.size() - 1 : queue.indexOf(hand);
        while (visited.remove(queue.get(at))) {
          at = at == 0 ? queue.size() - 1 : at - 1;
        }
        hand = at == 0 ? -1L : queue.get(at - 1);
        queue.remove(at);
      }
      queue.add(0, block);
      return false;
    }
  }

  /** SOSP '23, Algorithm 1. */
  private static final class S3 {
    private final int capacity;
    private final Deque<Long> small = new ArrayDeque<>();
    private final Deque<Long> main = new ArrayDeque<>();
    private final LinkedHashSet<Long> ghosts = new LinkedHashSet<>();
    private final Map<Long, Integer> hits = new HashMap<>();

    S3(int capacity) {
      this.capacity = capacity;
    }

    boolean request(long block) {
      if (hits.containsKey(block)) {
        hits.merge(block, 1, (count, one) -> Math.min(3, count + one));
        return true;
      }
      if (hits.size() == capacity) {
        evict();
      }
      (ghosts.remove(block) ? main : small).addFirst(block);
      hits.put(block, 0);
      return false;
    }

    private void evict() {
      while (true) {
        if (small.size() >= 0.1 * capacity || main.isEmpty()) {
          long last = small.removeLast();
          if (hits.get(last) < 2) {
            ghosts.add(last);
            if (ghosts.size() > (int) (0.9 * capacity)) {
              ghosts.remove(ghosts.iterator().next());
            }
            hits.remove(last);
            return;
          }
          hits.put(last, 0);
          main.addFirst(last);
        } else {
          long last = main.removeLast();
          if (hits.get(last) == 0) {
            hits.remove(last);
            return;
          }
          hits.merge(last, -1, Integer::sum);
          main.addFirst(last);
        }
      }
    }
  }
}
