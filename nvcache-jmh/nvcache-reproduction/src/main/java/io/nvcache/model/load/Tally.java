// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

/** Operations done, by kind. */
public final class Tally {
  private final long[] counts = new long[ClientStep.Kind.values().length];
  private long all;

  @SuppressWarnings("EnumOrdinal") // An array place in this run only.
  public void count(ClientStep.Kind kind) {
    counts[kind.ordinal()]++;
    all++;
  }

  @SuppressWarnings("EnumOrdinal")
  public long of(ClientStep.Kind kind) {
    return counts[kind.ordinal()];
  }

  public long all() {
    return all;
  }
}
