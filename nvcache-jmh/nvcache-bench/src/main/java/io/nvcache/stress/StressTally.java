// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the threads of a stress run did and found. */
final class StressTally {
  final LongAdder lookups = new LongAdder();
  final LongAdder hits = new LongAdder();
  final LongAdder pins = new LongAdder();

  /** Views of pins that show the medium's own memory. */
  final LongAdder pinsInPlace = new LongAdder();

  /** Reads of pins that other threads pinned or closed. */
  final LongAdder sharedReads = new LongAdder();

  final LongAdder offers = new LongAdder();
  final LongAdder admitted = new LongAdder();
  final LongAdder invalidations = new LongAdder();
  final LongAdder filesReplaced = new LongAdder();
  final LongAdder reconfigurations = new LongAdder();
  final LongAdder wrong = new LongAdder();
  final LongAdder stale = new LongAdder();
  final LongAdder overBudget = new LongAdder();
  final LongAdder unexpected = new LongAdder();
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();

  /** Keeps the first thing that went wrong; reported at the end. */
  void explain(String what) {
    first.compareAndSet(null, what);
  }

  @Nullable String explanation() {
    return first.get();
  }

  long operations() {
    return lookups.sum() + offers.sum() + invalidations.sum() + filesReplaced.sum();
  }

  /** Answers that no cache may give. */
  long violations() {
    return wrong.sum() + stale.sum() + overBudget.sum() + unexpected.sum();
  }

  /** All counts by name, in the order of a report. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("operations", operations());
    counts.put("lookups", lookups.sum());
    counts.put("hits", hits.sum());
    counts.put("leases", pins.sum());
    counts.put("leases_in_place", pinsInPlace.sum());
    counts.put("shared_reads", sharedReads.sum());
    counts.put("offers", offers.sum());
    counts.put("admitted", admitted.sum());
    counts.put("invalidations", invalidations.sum());
    counts.put("files_replaced", filesReplaced.sum());
    counts.put("reconfigurations", reconfigurations.sum());
    counts.put("wrong", wrong.sum());
    counts.put("stale", stale.sum());
    counts.put("over_budget", overBudget.sum());
    counts.put("unexpected", unexpected.sum());
    return counts;
  }
}
