// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.pages;

/**
 * The records of each page, in their order: a ring of nodes for each page, and a table of the
 * rings. The table knows the newest node of a page, and the newest knows the oldest:
 *
 * <pre>
 * table ----&gt; newest --&gt; oldest --&gt; ... --&gt; newest
 * </pre>
 *
 * <p>All is allotted at the beginning: 28 bytes for a node, with its two places of the table. A
 * node is free, or in the ring of one page. A record is a number here, which means nothing.
 *
 * <p>Not thread-safe; reads may run next to each other.
 */
final class PageRings {
  /** Where a page has no node. */
  static final int NONE = -1;

  /** Of each node: the page, the record, and the next newer node; of a free one the next free. */
  private final long[] keys;

  private final long[] records;
  private final int[] next;

  /** The newest node of a page, plus 1; by open addressing, without a gap before its place. */
  private final int[] table;

  /** The first free node, plus 1. */
  private int free;

  /** Makes at least so many nodes, and all free. */
  PageRings(int atLeast) {
    int nodes = Integer.highestOneBit(Math.max(2, atLeast) - 1) * 2;
    this.keys = new long[nodes];
    this.records = new long[nodes];
    this.next = new int[nodes];
    this.table = new int[2 * nodes];
    for (int node = nodes - 1; node >= 0; node--) {
      free(node);
    }
  }

  /** Returns how many nodes there are. */
  int capacity() {
    return keys.length;
  }

  /** Returns what all nodes and the table take, in bytes. */
  long bytes() {
    return keys.length * (2L * Long.BYTES + Integer.BYTES) + (long) table.length * Integer.BYTES;
  }

  /** Returns the newest node of a page, or {@link #NONE}. */
  int newest(long key) {
    return table[find(key)] - 1;
  }

  /** Returns the next newer node of a page; after the newest, the oldest. */
  int after(int node) {
    return next[node];
  }

  /** Returns a node's record. */
  long record(int node) {
    return records[node];
  }

  /** Has a node say another record. */
  void replace(int node, long record) {
    records[node] = record;
  }

  /** Puts a node of a record behind the newest of a page, which may have none. One is free. */
  void push(long key, long record) {
    int node = free - 1;
    free = next[node];
    keys[node] = key;
    records[node] = record;
    int at = find(key);
    int newest = table[at] - 1;
    if (newest == NONE) {
      next[node] = node;
    } else {
      next[node] = next[newest];
      next[newest] = node;
    }
    table[at] = node + 1;
  }

  /** Frees the oldest node of a page that has several. */
  void dropOldest(int newest) {
    int oldest = next[newest];
    next[newest] = next[oldest];
    free(oldest);
  }

  /** Frees the only node of a page. */
  void dropOnly(long key) {
    int at = find(key);
    int node = table[at] - 1;
    closeGap(at);
    free(node);
  }

  private void free(int node) {
    next[node] = free;
    free = node + 1;
  }

  /** Adds all pages that have nodes. */
  void addPages(PageKeys found) {
    for (int entry : table) {
      if (entry != 0) {
        found.add(keys[entry - 1]);
      }
    }
  }

  /** Returns where a page is in the table, or would be. */
  private int find(long key) {
    int mask = table.length - 1;
    int at = place(key);
    while (table[at] != 0 && keys[table[at] - 1] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  /** Returns where a page would be in an empty table. */
  private int place(long key) {
    return (int) ((key * 0x9e3779b97f4a7c15L) >>> 32) & table.length - 1;
  }

  /** Takes a page out, and moves those that it had moved on into the gap. */
  private void closeGap(int at) {
    int mask = table.length - 1;
    int gap = at;
    for (int i = at + 1 & mask; table[i] != 0; i = i + 1 & mask) {
      int moved = i - place(keys[table[i] - 1]) & mask;
      if (moved >= (i - gap & mask)) {
        table[gap] = table[i];
        gap = i;
      }
    }
    table[gap] = 0;
  }
}
