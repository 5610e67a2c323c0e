// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.report.Labelled;

/** What the engines are put through. */
enum LuceneScenario implements Labelled {
  /** The index is four times what the caches may hold, and each read of the delegate is late. */
  BEYOND_MEMORY,
  /** All is in memory: in the page cache, and in the caches. */
  WARM,
  /** As beyond memory, right after all segments of the index were merged, each into a new one. */
  MERGE
}
