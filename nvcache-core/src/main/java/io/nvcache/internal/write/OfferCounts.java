// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.internal.read.Samples;
import io.nvcache.shadow.KeySample;
import io.nvcache.stats.Counter;
import io.nvcache.stats.LoadTimes;
import io.nvcache.stats.StripedCounters;

/** Counts each offer once, by its source and by what became of it, and has shadows hear of it. */
public final class OfferCounts {
  private final StripedCounters counters;
  private final KeySample sample;
  private final LoadTimes times;

  public OfferCounts(StripedCounters counters, Samples samples) {
    this.counters = counters;
    this.sample = samples.keys();
    this.times = samples.times();
  }

  /** Notes the offer of a block that a reader has loaded. */
  void loaded(long fileId, long offset) {
    times.loaded(fileId, offset);
  }

  /** Counts an offer that was decided, inside the gate. */
  OfferResult decided(OfferResult result, Offer offer) {
    count(result, offer, offer.stripe());
    // Of others no policy is asked, or none again.
    boolean isNew = result != OfferResult.TOO_LARGE && !offer.isOfferedAgain();
    if (isNew && sample.has(offer.fileId(), offer.offset())) {
      sample.offer(
          offer.fileId(), offer.offset(), offer.lengthBytes(), offer.source(), offer.stripe());
    }
    return result;
  }

  /** Counts an offer to a cache that was closed. */
  OfferResult closed(Offer offer) {
    count(OfferResult.CLOSED, offer, counters.stripe());
    return OfferResult.CLOSED;
  }

  private void count(OfferResult result, Offer offer, int stripe) {
    counters.add(stripe, Counter.of(offer.source()), 1);
    counters.add(stripe, Counter.of(result), 1);
  }

  /** Counts what became of output blocks of a rewrite. */
  void carried(Counter outcome, int blocks) {
    counters.add(counters.stripe(), outcome, blocks);
  }
}
