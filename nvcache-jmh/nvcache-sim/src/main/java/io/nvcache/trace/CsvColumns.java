// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which column of a CSV trace holds what, counted from 0.
 *
 * @param id the block
 * @param size its bytes; −1 if there is no such column
 * @param op read, write or free; −1 if there is no such column
 * @param header whether the first line names the columns
 */
record CsvColumns(int id, int size, int op, boolean header) {
  /** libCacheSim's order: time, object, size. */
  private static final CsvColumns WITHOUT_HEADER = new CsvColumns(1, 2, -1, false);

  private static final Set<String> IDS =
      Set.of("id", "obj_id", "object_id", "object", "key", "block", "lbn", "lba", "offset");
  private static final Set<String> SIZES =
      Set.of("size", "obj_size", "object_size", "bytes", "len", "length", "val_size");
  private static final Set<String> OPS = Set.of("op", "op_type", "operation", "type", "cmd");

  /** Goes by the first line: it names the columns, or begins with a number. */
  static CsvColumns of(List<String> first) {
    List<String> names =
        first.stream()
            .map(name -> name.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s-]+", "_"))
            .toList();
    int id = indexOf(names, IDS);
    if (id >= 0) {
      return new CsvColumns(id, indexOf(names, SIZES), indexOf(names, OPS), true);
    }
    return WITHOUT_HEADER;
  }

  private static int indexOf(List<String> names, Set<String> wanted) {
    for (int i = 0; i < names.size(); i++) {
      if (wanted.contains(names.get(i))) {
        return i;
      }
    }
    return -1;
  }

  int last() {
    return Math.max(id, Math.max(size, op));
  }
}
