// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import site.ycsb.Utils;

/**
 * The keys that YCSB's CoreWorkload gives to the records 0 to n − 1, in the order in which a file
 * holds them. YCSB makes a key of the hash of the record's number, in decimal, so the keys have to
 * be sorted as text; they are dealt out by their first digits, and one small heap of them is sorted
 * at a time. Takes four bytes for each record, not a String.
 */
final class KeyOrder {
  private static final int HEAPS = 1_000_000;

  /** Takes the keys one by one. */
  @FunctionalInterface
  interface KeyConsumer {
    void accept(String key) throws IOException;
  }

  private final int[] recordsByHeap;

  /** {@code ends[h]} is where heap h ends, and heap h + 1 starts. */
  private final int[] ends = new int[HEAPS];

  KeyOrder(int records) {
    for (int record = 0; record < records; record++) {
      ends[heap(record)]++;
    }
    int start = 0;
    for (int heap = 0; heap < HEAPS; heap++) {
      int size = ends[heap];
      ends[heap] = start;
      start += size;
    }
    // Each heap's start moves to its end as it is filled.
    recordsByHeap = new int[records];
    for (int record = 0; record < records; record++) {
      recordsByHeap[ends[heap(record)]++] = record;
    }
  }

  /** The key of a record. */
  static String key(long record) {
    return "user" + Utils.hash(record);
  }

  /** Hands out all keys, each once, in ascending order. */
  void forEach(KeyConsumer consumer) throws IOException {
    List<String> keys = new ArrayList<>();
    int next = 0;
    for (int end : ends) {
      keys.clear();
      for (; next < end; next++) {
        keys.add(key(recordsByHeap[next]));
      }
      Collections.sort(keys);
      String previous = "";
      for (String key : keys) {
        if (!key.equals(previous)) {
          consumer.accept(key);
        }
        previous = key;
      }
    }
  }

  /** The key's first six digits, with zeros for the missing: ascends with the key as text. */
  private static int heap(long record) {
    long digits = Math.max(0, Utils.hash(record));
    while (digits >= HEAPS) {
      digits /= 10;
    }
    while (digits > 0 && digits < HEAPS / 10) {
      digits *= 10;
    }
    return (int) digits;
  }
}
