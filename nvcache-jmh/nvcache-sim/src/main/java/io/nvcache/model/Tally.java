// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/** Operations done, by kind. */
final class Tally {
  private final long[] counts = new long[Operation.Kind.values().length];
  private long all;

  @SuppressWarnings("EnumOrdinal") // An array place in this run only.
  void count(Operation.Kind kind) {
    counts[kind.ordinal()]++;
    all++;
  }

  @SuppressWarnings("EnumOrdinal")
  long of(Operation.Kind kind) {
    return counts[kind.ordinal()];
  }

  long all() {
    return all;
  }
}
