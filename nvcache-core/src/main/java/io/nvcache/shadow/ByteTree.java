// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

/**
 * Sums over a prefix of a changing array, in logarithmic time (P. Fenwick, "A New Data Structure
 * for Cumulative Frequency Tables", 1994).
 */
final class ByteTree {
  private final long[] nodes;

  ByteTree(int places) {
    this.nodes = new long[places + 1];
  }

  void add(int place, long bytes) {
    for (int i = place + 1; i < nodes.length; i += i & -i) {
      nodes[i] += bytes;
    }
  }

  /** Returns the sum over the places before this one. */
  long before(int place) {
    long sum = 0;
    for (int i = place; i > 0; i -= i & -i) {
      sum += nodes[i];
    }
    return sum;
  }
}
