// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.Source;
import io.nvcache.admission.Candidate;
import java.util.Objects;

/** An offer on its way: what admission judges, and what else is known of it. */
final class Offer extends Candidate {
  /** The recent lookups that an important block is taken to be worth: as many as the hottest. */
  private static final double HOTTEST = 8;

  private boolean important;
  private int stripe;

  /** Begins the offer of a block of which nothing is known but what brought it. */
  Offer ofSource(long fileId, long offset, int lengthBytes, Source source) {
    return begin(fileId, offset, lengthBytes, source, Double.NaN);
  }

  /** Begins to offer a block once more for the same lookup. */
  Offer again(long fileId, long offset, int lengthBytes) {
    ofSource(fileId, offset, lengthBytes, Source.READ);
    setOfferedAgain();
    return this;
  }

  /**
   * Begins the offer of an output block of a rewrite.
   *
   * @param heat the lookups that the block is expected to have had lately; more than 0
   */
  Offer carried(long fileId, long offset, int lengthBytes, double heat) {
    return begin(fileId, offset, lengthBytes, Source.COMPACTION, heat);
  }

  /** Begins the offer of a block that matters more than its lookups say. */
  Offer ofImportant(long fileId, long offset, int lengthBytes, Source source) {
    begin(fileId, offset, lengthBytes, source, HOTTEST);
    important = true;
    return this;
  }

  private Offer begin(long fileId, long offset, int lengthBytes, Source source, double heat) {
    set(fileId, offset, lengthBytes, Objects.requireNonNull(source, "source"), heat);
    important = false;
    return this;
  }

  /** Notes the stripe of the counters, which the offer has while it is inside the gate. */
  void enter(int stripe) {
    this.stripe = stripe;
  }

  int stripe() {
    return stripe;
  }

  /** Returns whether eviction is to pass over the block. */
  boolean isImportant() {
    return important;
  }
}
