// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.util.concurrent.atomic.LongAdder;

/** The counters of all files with one extension. Thread-safe, striped. */
final class FileClass {
  final String name;
  final LongAdder hits = new LongAdder();
  final LongAdder offeredMisses = new LongAdder();
  final LongAdder onceMisses = new LongAdder();
  final LongAdder bypassedOpens = new LongAdder();

  FileClass(String name) {
    this.name = name;
  }

  FileClassCounts counts() {
    long once = onceMisses.sum();
    // The sum is made here, so that what it has beyond the misses of one kind never goes down.
    long misses = offeredMisses.sum() + once;
    return new FileClassCounts(hits.sum(), misses, once, bypassedOpens.sum());
  }
}
