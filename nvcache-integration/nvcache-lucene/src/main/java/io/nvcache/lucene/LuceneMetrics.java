// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Meters of a {@link LuceneCache} beyond those of its blocks, which {@link
 * io.nvcache.micrometer.NvCacheMetrics} has.
 */
public final class LuceneMetrics {
  private LuceneMetrics() {}

  /**
   * Adds counters to a registry, which holds the cache weakly.
   *
   * @param cacheName the value of the tag {@code cache}
   */
  public static void bind(MeterRegistry registry, LuceneCache cache, String cacheName) {
    Binding binding = new Binding(registry, cache, cacheName);
    binding.reads("hit", FileClassCounts::hits);
    binding.reads("miss", counts -> counts.misses() - counts.onceMisses());
    binding.reads("once", FileClassCounts::onceMisses);
    binding.count("nvcache.lucene.opens.bypassed", all -> sum(all, FileClassCounts::bypassedOpens));
    binding.count("nvcache.lucene.delegate.requests", all -> all.delegateCounts().requests());
    binding.count("nvcache.lucene.delegate.blocks", all -> all.delegateCounts().requestedBlocks());
    binding.count("nvcache.lucene.delegate.joined", all -> all.delegateCounts().joinedReads());
    binding.count(
        "nvcache.lucene.delegate.prefetched", all -> all.delegateCounts().prefetchedBlocks());
    binding.count("nvcache.lucene.delegate.carried", all -> all.delegateCounts().carriedBlocks());
    binding.count(
        "nvcache.lucene.delegate.ahead.failed", all -> all.delegateCounts().aheadFailures());
    binding.count(
        "nvcache.lucene.delegate.ahead.dropped", all -> all.delegateCounts().aheadDropped());
  }

  private static double sum(LuceneCache cache, ToLongFunction<FileClassCounts> count) {
    return cache.countsByExtension().values().stream().mapToLong(count).sum();
  }

  private record Binding(MeterRegistry registry, LuceneCache cache, String cacheName) {
    void reads(String result, ToLongFunction<FileClassCounts> count) {
      FunctionCounter.builder("nvcache.lucene.reads", cache, all -> sum(all, count))
          .description("block reads of Lucene; once: misses that were not offered")
          .tag("cache", cacheName)
          .tag("result", result)
          .register(registry);
    }

    void count(String name, ToDoubleFunction<LuceneCache> count) {
      FunctionCounter.builder(name, cache, count).tag("cache", cacheName).register(registry);
    }
  }
}
