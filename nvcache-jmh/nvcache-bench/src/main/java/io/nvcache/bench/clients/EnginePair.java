// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.List;
import java.util.Optional;

/**
 * NVCache and the BucketCache on the same kind of medium, under one load in one phase. Each figure
 * is the former's ÷ the latter's.
 */
record EnginePair(PhaseFigures nvcache, PhaseFigures bucketCache) {
  /** Returns the pair that figures of NVCache are of, if its other half was measured. */
  static Optional<EnginePair> of(PhaseFigures figures, List<PhaseFigures> all) {
    return figures
        .engine()
        .bucketCache()
        .flatMap(peer -> find(peer, figures, all))
        .map(peer -> new EnginePair(figures, peer));
  }

  /** Returns the figures of another engine under the same load in the same phase. */
  static Optional<PhaseFigures> find(
      ClientsEngine engine, PhaseFigures like, List<PhaseFigures> all) {
    return all.stream()
        .filter(figures -> figures.engine() == engine)
        .filter(figures -> figures.load() == like.load() && figures.phase() == like.phase())
        .findFirst();
  }

  double readsPerSecond() {
    return nvcache.readsPerSecond() / bucketCache.readsPerSecond();
  }

  double micros(String percentile) {
    return nvcache.microsAt(percentile) / bucketCache.microsAt(percentile);
  }

  double servedP99() {
    return nvcache.servedP99Micros() / bucketCache.servedP99Micros();
  }

  double hits() {
    return nvcache.hitRatio() / bucketCache.hitRatio();
  }

  double writtenBytes() {
    return (double) nvcache.writtenBytes() / bucketCache.writtenBytes();
  }
}
