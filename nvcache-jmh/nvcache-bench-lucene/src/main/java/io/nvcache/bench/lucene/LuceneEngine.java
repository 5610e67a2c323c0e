// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

/** A way to read the index. */
enum LuceneEngine {
  /** Lucene's directory of plain reads: what the others are compared with. */
  NIOFS("niofs"),
  /** Lucene's default. Can't be delayed without a device of its own, so it never is. */
  MMAP("mmap"),
  /** A Caffeine cache of direct memory, as Solr's HDFS block cache was. */
  CAFFEINE_DIRECT("caffeine-direct"),
  /** Parts of 8 MiB in local files, as OpenSearch's own directory of warm indices has them. */
  DEFAULT_WARM("default-warm"),
  /** The product. */
  NVCACHE("nvcache");

  private final String label;

  LuceneEngine(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /**
   * Returns whether it can do this: OpenSearch's warm directory is for remote files, and writes
   * none.
   */
  boolean canRun(LuceneScenario scenario) {
    return this != DEFAULT_WARM || scenario == LuceneScenario.BEYOND_MEMORY;
  }
}
