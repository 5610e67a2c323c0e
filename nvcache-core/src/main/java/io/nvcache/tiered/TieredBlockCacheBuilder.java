// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.memory.Libraries;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Configures a {@link TieredBlockCache}. Not thread-safe. */
public final class TieredBlockCacheBuilder {
  final long maxDramBytes;
  final BlockLoader loader;
  @Nullable BlockCache secondTier;
  DramValues dramValues = DramValues.HEAP;
  Set<Source> dramSources = EnumSet.of(Source.READ, Source.SCAN, Source.PREFETCH);
  Executor executor = ForkJoinPool.commonPool();
  Duration patience = Duration.ofSeconds(10);
  LongSupplier nanoTime = System::nanoTime;

  TieredBlockCacheBuilder(long maxDramBytes, BlockLoader loader) {
    if (maxDramBytes < 0) {
      throw new IllegalArgumentException(
          "maxDramBytes " + maxDramBytes + " is negative; 0 turns the DRAM tier off");
    }
    this.maxDramBytes = maxDramBytes;
    this.loader = Objects.requireNonNull(loader, "loader");
  }

  /**
   * Sets the cache below the DRAM tier. The tiered cache owns it and closes it. Without one the
   * same code runs over DRAM alone, so that both can be compared.
   */
  public TieredBlockCacheBuilder secondTier(BlockCache cache) {
    secondTier = Objects.requireNonNull(cache, "cache");
    return this;
  }

  /**
   * Sets where the DRAM tier keeps its bytes: in arrays on the heap ({@link DramValues#HEAP}, the
   * default) or in direct buffers ({@link DramValues#DIRECT}), which {@code
   * -XX:MaxDirectMemorySize} does not bound. Those take up to a quarter more than the tier, since
   * an evicted one waits for the collector.
   */
  public TieredBlockCacheBuilder dramValues(DramValues values) {
    dramValues = Objects.requireNonNull(values, "values");
    return this;
  }

  /**
   * Sets the sources whose blocks enter the DRAM tier; blocks of others are served without it.
   * READ, SCAN and PREFETCH by default: Caffeine's own admission keeps one-time scans from
   * displacing the rest, compactions read files that are about to be deleted, and a flush comes
   * from memory that its store still reads. The second tier's admission sees every source.
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
   * common fork-join pool by default.
   *
   * <p>An executor may run its work on the caller's thread, drop it, or throw: a task that is not
   * run costs room until the next one. While it runs work on the caller's thread, or keeps the
   * caller waiting, it may look blocks up and offer them; to invalidate or to close, which may wait
   * for that very caller, is refused with {@link IllegalStateException}.
   */
  public TieredBlockCacheBuilder executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /**
   * Sets how long a call waits for another thread that loads or offers the same block. Then a
   * lookup loads for itself, or, if the loading thread is itself waiting, fails; and an
   * invalidation leaves the block out of use until the offer ends. Loads that take longer are to be
   * expected only where the store waits for its disks longer. 10 s by default.
   *
   * @param limit 1 ms to 1 h
   */
  public TieredBlockCacheBuilder patience(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "patience is " + limit + "; it must be between 1 ms and 1 h");
    }
    patience = limit;
    return this;
  }

  /** Sets the clock of {@link #patience}, in nanoseconds; {@link System#nanoTime} by default. */
  TieredBlockCacheBuilder nanoTime(LongSupplier clock) {
    nanoTime = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Makes the cache.
   *
   * @throws IllegalStateException if a library on the class path is older than it needs; names both
   *     versions
   */
  public TieredBlockCache build() {
    Libraries.requireOfTiers();
    return new TieredBlockCache(this);
  }
}
