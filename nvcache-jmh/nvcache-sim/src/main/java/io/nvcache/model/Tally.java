// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/** Operations done, by kind. */
final class Tally {
  private final long[] counts = new long[ClientStep.Kind.values().length];
  private long all;

  @SuppressWarnings("EnumOrdinal") // An array place in this run only.
  void count(ClientStep.Kind kind) {
    counts[kind.ordinal()]++;
    all++;
  }

  @SuppressWarnings("EnumOrdinal")
  long of(ClientStep.Kind kind) {
    return counts[kind.ordinal()];
  }

  long all() {
    return all;
  }
}
