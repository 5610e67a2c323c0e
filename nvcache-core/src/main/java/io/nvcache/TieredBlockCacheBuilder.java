// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** Configures a {@link TieredBlockCache}. Not thread-safe. */
public final class TieredBlockCacheBuilder {
  final long maxDramBytes;
  final BlockLoader loader;
  @Nullable BlockCache secondTier;
  DramValues dramValues = DramValues.HEAP;
  Set<Source> dramSources = EnumSet.of(Source.READ, Source.SCAN, Source.PREFETCH);
  Executor executor = ForkJoinPool.commonPool();

  TieredBlockCacheBuilder(long maxDramBytes, BlockLoader loader) {
    if (maxDramBytes < 0) {
      throw new IllegalArgumentException(
          "maxDramBytes " + maxDramBytes + " is negative; 0 turns the DRAM tier off");
    }
    this.maxDramBytes = maxDramBytes;
    this.loader = Objects.requireNonNull(loader, "loader");
  }

  /**
   * The cache below the DRAM tier. The tiered cache takes it over and closes it. Without one the
   * same code runs over DRAM alone, so that both can be compared.
   */
  public TieredBlockCacheBuilder secondTier(BlockCache cache) {
    secondTier = Objects.requireNonNull(cache, "cache");
    return this;
  }

  /** Where the DRAM tier keeps its bytes; {@link DramValues#HEAP} unless told otherwise. */
  public TieredBlockCacheBuilder dramValues(DramValues values) {
    dramValues = Objects.requireNonNull(values, "values");
    return this;
  }

  /**
   * The sources whose blocks enter the DRAM tier; the others are served and pass it by. READ, SCAN
   * and PREFETCH unless told otherwise: Caffeine's own admission keeps one-time scans from washing
   * out the rest, compactions read what is about to be deleted, and a flush comes from memory that
   * its store still reads. The second tier's admission is told every source and decides by itself.
   */
  public TieredBlockCacheBuilder dramSources(Collection<Source> sources) {
    Set<Source> copy = EnumSet.noneOf(Source.class);
    for (Source source : Objects.requireNonNull(sources, "sources")) {
      copy.add(Objects.requireNonNull(source, "sources has a null"));
    }
    dramSources = copy;
    return this;
  }

  /**
   * Runs the upkeep of the DRAM tier: evictions, and freeing the blocks of invalidated files. The
   * common fork-join pool unless told otherwise.
   */
  public TieredBlockCacheBuilder executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /** Makes the cache. */
  public TieredBlockCache build() {
    return new TieredBlockCache(this);
  }
}
