// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.report.Labelled;

/** A way to read the index. */
enum LuceneEngine implements Labelled {
  /** Lucene's directory of plain reads: what the others are compared with. */
  NIOFS,
  /** Lucene's default. Can't be delayed without a device of its own, so it never is. */
  MMAP,
  /** A Caffeine cache of direct memory, as Solr's HDFS block cache was. */
  CAFFEINE_DIRECT,
  /** Parts of 8 MiB in local files, as OpenSearch's own directory of warm indices has them. */
  DEFAULT_WARM,
  /** The product. */
  NVCACHE;

  /**
   * Returns whether it can do this: OpenSearch's warm directory is for remote files, and writes
   * none.
   */
  boolean canRun(LuceneScenario scenario) {
    return this != DEFAULT_WARM || scenario == LuceneScenario.BEYOND_MEMORY;
  }
}
