// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.util.List;

/** What was measured; NaN where an engine has no such figure. */
record LuceneBenchResult(long indexBytes, List<Cell> cells) {
  /**
   * One engine in one scenario.
   *
   * @param ratioToNiofs searches a second, as a multiple of those of {@code niofs}
   * @param hitRatio of the blocks that searches looked for; in a merge, after it
   * @param hitRatioBefore the same before the merge
   * @param wrongResults searches whose result differs from that of the plain index
   */
  record Cell(
      LuceneEngine engine,
      LuceneScenario scenario,
      double queriesPerSecond,
      double ratioToNiofs,
      double hitRatio,
      double hitRatioBefore,
      long wrongResults) {}
}
