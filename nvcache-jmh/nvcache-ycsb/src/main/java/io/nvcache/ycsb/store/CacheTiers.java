// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import io.nvcache.FileIdRegistry;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.hbase.compaction.HotRows;
import io.nvcache.hbase.site.TwoTierBlockCache;
import io.nvcache.ycsb.store.HFileStore.DramTierStats;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.TinyLfuBlockCache;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/**
 * The caches between HBase's reader and the disk: HBase's own cache over Caffeine as the DRAM tier,
 * and NVCache below it. Either may be missing.
 */
final class CacheTiers {
  /**
   * One for all stores of the process: a cache may serve several stores, one after the other, and
   * must never see an id twice. The names of the files are unique.
   */
  private static final FileIdRegistry FILE_IDS = new FileIdRegistry();

  private static final long TABLE = HotRows.storeOf(TableName.valueOf("ycsb"), new byte[] {'f'});

  private final @Nullable TinyLfuBlockCache dramTier;
  private final @Nullable NvHBaseBlockCache secondTier;
  private final io.nvcache.@Nullable BlockCache engine;
  private final CacheConfig forReaders;
  private final CacheConfig forWriters;
  private final CacheConfig forCompactions;

  /** The second tier, if compactions carry heat to it. */
  private final @Nullable NvHBaseBlockCache heated;

  CacheTiers(
      Configuration configuration,
      StoreOptions options,
      io.nvcache.@Nullable BlockCache secondTier) {
    // Caffeine evicts in the thread that inserts, so that the tier never outgrows its bytes.
    this.dramTier =
        options.dramTierBytes() == 0
            ? null
            : new TinyLfuBlockCache(
                options.dramTierBytes(), options.blockBytes(), Runnable::run, configuration);
    this.engine = secondTier;
    this.secondTier = secondTier == null ? null : NvHBaseBlockCache.copying(secondTier, FILE_IDS);
    BlockCache both = join(dramTier, this.secondTier);
    this.forReaders = both == null ? CacheConfig.DISABLED : new CacheConfig(configuration, both);
    this.forWriters = writers(configuration, this.secondTier);
    this.heated = options.compactionOutputs() == CompactionOutputs.CARRY ? this.secondTier : null;
    this.forCompactions =
        heated == null ? CacheConfig.DISABLED : new CacheConfig(configuration, heated);
    if (this.secondTier != null) {
      this.secondTier.compactions().setOutputs(options.compactionOutputs());
    }
  }

  private static @Nullable BlockCache join(
      @Nullable TinyLfuBlockCache dramTier, @Nullable NvHBaseBlockCache secondTier) {
    if (dramTier != null && secondTier != null) {
      return new TwoTierBlockCache(dramTier, secondTier);
    }
    return dramTier != null ? dramTier : secondTier;
  }

  /** The blocks of a new file are offered to the second tier only: DRAM is for what is read. */
  private static CacheConfig writers(
      Configuration configuration, @Nullable NvHBaseBlockCache secondTier) {
    if (secondTier == null) {
      return CacheConfig.DISABLED;
    }
    CacheConfig config = new CacheConfig(configuration, secondTier);
    config.enableCacheOnWrite();
    return config;
  }

  CacheConfig forReaders() {
    return forReaders;
  }

  CacheConfig forWriters() {
    return forWriters;
  }

  /**
   * What compactions read their inputs through, and what is read back of their outputs: the second
   * tier if it carries heat, which it must learn by these reads, else nothing. DRAM is passed by,
   * for it would take what is read once for hot.
   */
  CacheConfig forCompactions() {
    return forCompactions;
  }

  /** Whether compactions carry the heat of their inputs to their outputs. */
  boolean carriesHeat() {
    return heated != null;
  }

  /** Notes that a client asks for the record of a key. */
  void keyRead(byte[] key) {
    if (heated != null) {
      heated.compactions().hotRows().read(TABLE, key);
    }
  }

  /** Begins a compaction on the calling thread; one that it left uncommitted is dropped. */
  void compactionBegins() {
    if (heated != null) {
      heated.compactions().begin();
    }
  }

  /** Notes that the calling thread writes the record of a key next. */
  void keyWritten(byte[] key) {
    if (heated != null) {
      heated.compactions().hotRows().written(TABLE, key, 0, key.length, 1);
    }
  }

  /**
   * Has the hot outputs of the calling thread's compaction cached, in the background. The inputs
   * are forgotten at once, so that there is room.
   *
   * @param outputs whose readers are open
   */
  void compacted(List<HStoreFile> inputs, List<HStoreFile> outputs) {
    if (heated != null) {
      for (HStoreFile output : outputs) {
        heated.compactions().committed(inputs, output);
      }
    }
  }

  /** Waits until what compactions have committed is cached as far as it will be. */
  void awaitCarried() throws InterruptedException {
    if (heated != null) {
      heated.compactions().awaitCarried();
    }
  }

  /** Tells the second tier of a file that will be read. */
  void register(String fileName, long lengthBytes) {
    if (engine != null) {
      // Under the id of its blocks, so that a file that is opened again counts once, and one whose
      // blocks are forgotten is gone.
      engine.control().dataSet().register(FILE_IDS.idOf(fileName), lengthBytes);
    }
  }

  /** Forgets the blocks of a file that is no longer read. */
  void evict(String fileName) {
    if (dramTier != null) {
      dramTier.evictBlocksByHfileName(fileName);
    }
    if (secondTier != null) {
      secondTier.evictBlocksByHfileName(fileName);
    }
  }

  DramTierStats dramTierStats() {
    if (dramTier == null) {
      return new DramTierStats(0, 0, 0);
    }
    // Joined tiers count a miss of the DRAM tier as a lookup of the second tier.
    long misses =
        secondTier == null
            ? dramTier.getStats().getMissCount()
            : secondTier.getStats().getRequestCachingCount(); // Compactions' reads fill no cache.
    return new DramTierStats(dramTier.getStats().getHitCount(), misses, dramTier.getCurrentSize());
  }

  /** Ends the DRAM tier; the second tier is its owner's. */
  void close() {
    if (dramTier != null) {
      dramTier.shutdown();
    }
  }
}
