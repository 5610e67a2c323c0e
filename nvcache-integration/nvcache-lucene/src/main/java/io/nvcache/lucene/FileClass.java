// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.util.concurrent.atomic.LongAdder;

/** The counters of all files with one extension. Thread-safe, striped. */
final class FileClass {
  final String name;
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder onceMisses = new LongAdder();
  final LongAdder bypassedOpens = new LongAdder();

  FileClass(String name) {
    this.name = name;
  }

  FileClassCounts counts() {
    return new FileClassCounts(hits.sum(), misses.sum(), onceMisses.sum(), bypassedOpens.sum());
  }
}
