// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Names of what a benchmark measures, which go from process to process: a cell, or why not. */
final class CellFuzzTest {
  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void cell(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    try {
      Cell cell = Cell.parse(text);
      if (cell.threads() < 1 || !Cell.parse(cell.toString()).equals(cell)) {
        throw new AssertionError("not read as it was written: " + cell);
      }
    } catch (IllegalArgumentException e) {
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new AssertionError("not a word", e);
      }
    }
  }
}
