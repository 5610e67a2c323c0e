// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Which combinations of operation, buffer, keys and threads are measured. */
final class CellGrid {
  private CellGrid() {}

  /** The cells that show most about each length of blocks. */
  static List<Cell> brief() {
    return parse(
        "hit-copy/heap/uniform/1",
        "hit-touch/heap/uniform/1",
        "insert/direct/uniform/1",
        "replace/direct/uniform/1");
  }

  /** The brief cells, and copies by two threads and from the heap. */
  static List<Cell> ends() {
    List<Cell> more =
        parse("hit-copy/heap/uniform/2", "insert/heap/uniform/1", "replace/heap/uniform/1");
    return Stream.concat(brief().stream(), more.stream()).toList();
  }

  /** The cells that show how caches share, copy and choose, for one length of blocks. */
  static List<Cell> broad() {
    List<Cell> more =
        parse(
            "hit-copy/direct/uniform/1",
            "hit-copy/heap/zipfian/1",
            "hit-copy/heap/uniform/2",
            "hit-copy/heap/hot/2",
            "hit-touch/heap/uniform/2",
            "miss/heap/uniform/1",
            "miss-file/heap/uniform/1",
            "insert/direct/uniform/2");
    return Stream.concat(brief().stream(), more.stream()).toList();
  }

  /** What shows the effect of huge pages. */
  static List<Cell> ofHugePages() {
    return parse("hit-copy/heap/uniform/1", "hit-touch/heap/uniform/1", "insert/direct/uniform/1");
  }

  /** All that make sense. */
  static List<Cell> every() {
    List<Cell> cells = new ArrayList<>();
    for (ComparedOperation operation : ComparedOperation.values()) {
      for (Cell.Buffers buffer : Cell.Buffers.values()) {
        for (Cell.Keys keys : Cell.Keys.values()) {
          for (int threads = 1; threads <= 2; threads++) {
            Cell cell = new Cell(operation, buffer, keys, threads);
            if (makesSense(cell)) {
              cells.add(cell);
            }
          }
        }
      }
    }
    return cells;
  }

  private static boolean makesSense(Cell cell) {
    boolean usesBuffer =
        cell.operation() != ComparedOperation.HIT_TOUCH && !cell.operation().isMiss();
    boolean keysMatter =
        switch (cell.operation()) {
          case HIT_COPY, HIT_TOUCH -> true;
          case MISS, MISS_FILE, REPLACE -> cell.keys() != Cell.Keys.HOT;
          case INSERT -> cell.keys() == Cell.Keys.UNIFORM;
        };
    return keysMatter && (usesBuffer || cell.buffer() == Cell.Buffers.HEAP);
  }

  private static List<Cell> parse(String... cells) {
    return Arrays.stream(cells).map(Cell::parse).toList();
  }
}
