// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nvcache.lucene.files.FileClass;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters of a {@link LuceneCache} beyond its blocks', which {@link
 * io.nvcache.micrometer.NvCacheMetrics} has.
 */
public final class LuceneMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(LuceneMetrics.class);

  private LuceneMetrics() {}

  /**
   * Adds counters to a registry, which holds the cache weakly. Those of a class of files are added
   * when the first of its files is opened.
   *
   * @param cacheName the value of the tag {@code cache}
   */
  public static void bind(MeterRegistry registry, LuceneCache cache, String cacheName) {
    Binding binding = new Binding(registry, cache, cacheName);
    cache.classes().each(binding::files);
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

  private record Binding(MeterRegistry registry, LuceneCache cache, String cacheName) {
    void files(FileClass fileClass) {
      try {
        register(fileClass);
      } catch (RuntimeException e) { // The file must be opened all the same.
        LOG.warn("the registry took no meters for files of {}", fileClass.name(), e);
      }
    }

    private void register(FileClass fileClass) {
      reads(fileClass, "hit", FileClassCounts::hits);
      reads(fileClass, "miss", counts -> counts.misses() - counts.onceMisses());
      reads(fileClass, "once", FileClassCounts::onceMisses);
      FunctionCounter.builder(
              "nvcache.lucene.opens.bypassed", fileClass, of -> of.counts().bypassedOpens())
          .tag("cache", cacheName)
          .tag("extension", fileClass.name())
          .register(registry);
    }

    void reads(FileClass fileClass, String result, ToLongFunction<FileClassCounts> count) {
      FunctionCounter.builder(
              "nvcache.lucene.reads", fileClass, of -> count.applyAsLong(of.counts()))
          .description("block reads of Lucene; once: misses that were not offered")
          .tag("cache", cacheName)
          .tag("extension", fileClass.name())
          .tag("result", result)
          .register(registry);
    }

    void count(String name, ToDoubleFunction<LuceneCache> count) {
      FunctionCounter.builder(name, cache, count).tag("cache", cacheName).register(registry);
    }
  }
}
