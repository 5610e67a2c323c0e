// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.util.List;

/** What was measured; NaN where an engine has no such figure. */
record LuceneBenchResult(long indexBytes, List<Cell> cells) {
  /** Returns the searches a second of a cell, as a multiple of a peer's in the same scenario. */
  double ratioTo(LuceneEngine peer, Cell cell) {
    return cells.stream()
        .filter(other -> other.engine() == peer && other.scenario() == cell.scenario())
        .mapToDouble(other -> cell.queriesPerSecond() / other.queriesPerSecond())
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * One engine in one scenario.
   *
   * @param ratioToNiofs searches a second, as a multiple of those of {@code niofs}
   * @param hitRatio of the blocks that searches looked for; after the merge or the restart, if any
   * @param hitRatioBefore the same before it
   * @param ratioToBefore searches a second right after it, as a multiple of those before
   * @param wrongResults searches whose result differs from that of the plain index
   */
  record Cell(
      LuceneEngine engine,
      LuceneScenario scenario,
      double queriesPerSecond,
      double ratioToNiofs,
      double hitRatio,
      double hitRatioBefore,
      double ratioToBefore,
      long wrongResults) {

    static Cell of(
        LuceneEngine engine,
        LuceneScenario scenario,
        double queriesPerSecond,
        double hitRatio,
        long wrongResults) {
      return new Cell(
          engine,
          scenario,
          queriesPerSecond,
          Double.NaN,
          hitRatio,
          Double.NaN,
          Double.NaN,
          wrongResults);
    }

    Cell relativeTo(double niofs) {
      return new Cell(
          engine,
          scenario,
          queriesPerSecond,
          queriesPerSecond / niofs,
          hitRatio,
          hitRatioBefore,
          ratioToBefore,
          wrongResults);
    }

    Cell after(double speedBefore, double hitsBefore) {
      return new Cell(
          engine,
          scenario,
          queriesPerSecond,
          ratioToNiofs,
          hitRatio,
          hitsBefore,
          queriesPerSecond / speedBefore,
          wrongResults);
    }
  }
}
