// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.Source;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.compaction.HotRows;
import io.nvcache.hbase.compaction.RowsOfCompaction;
import io.nvcache.hbase.files.ClosedRegion;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Reports to NVCache what HBase's block cache interface can't: which store files a region has and
 * how long they are, from its opening to its closing; which blocks a scan brought and which a get
 * reads; and which rows are read and compacted.
 *
 * <p>HBase makes one for each region, and another one when coprocessors are reloaded without ending
 * the first; so the cache keeps what was registered of a region. HBase calls from several threads.
 */
@CoreCoprocessor
public final class NvCacheRegionObserver implements RegionCoprocessor, RegionObserver {
  /** HBase 2.6.1 has no constant of it. */
  private static final String EVICT_BLOCKS_ON_SPLIT_KEY = "hbase.rs.evictblocksonsplit";

  private static final ThreadLocal<@Nullable ThreadSource> SCANNING = new ThreadLocal<>();
  private static final ThreadLocal<@Nullable ThreadSource> GETTING = new ThreadLocal<>();

  /**
   * Left open by a flush that fails: that ends the server, or with the remote call that asked for
   * it.
   */
  private static final ThreadLocal<@Nullable ThreadSource> FLUSHING = new ThreadLocal<>();

  /** Null until the region is open, and on a server without NVCache. */
  private volatile @Nullable HotRows hotRows;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    update(context);
  }

  /**
   * Has HBase evict the closed region's blocks where the server's configuration says so. From HBase
   * 2.6.4 on the master decides on each closing, by its own site, and has blocks left where that
   * says nothing. A site that keeps the blocks of split regions is left to the master, since
   * nothing tells here what a region is closed for.
   */
  @Override
  public void preClose(
      ObserverContext<RegionCoprocessorEnvironment> context, boolean abortRequested) {
    RegionCoprocessorEnvironment environment = context.getEnvironment();
    Configuration configuration = environment.getConfiguration();
    if (cache(environment).isPresent()
        && configuration.getBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, false)
        && configuration.getBoolean(EVICT_BLOCKS_ON_SPLIT_KEY, true)) {
      for (Store store : environment.getRegion().getStores()) {
        if (store instanceof HStore closed) {
          closed.getCacheConfig().setEvictOnClose(true);
        }
      }
    }
  }

  @Override
  public void postClose(
      ObserverContext<RegionCoprocessorEnvironment> context, boolean abortRequested) {
    close(context.getEnvironment());
  }

  @Override
  @SuppressWarnings("rawtypes") // As HBase declares it.
  public void stop(CoprocessorEnvironment environment) {
    // A region that failed to open, or a table whose coprocessors are reloaded, is never closed.
    if (environment instanceof RegionCoprocessorEnvironment region) {
      close(region);
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // As HBase declares it.
  public void start(CoprocessorEnvironment environment) throws IOException {
    // Coprocessors are reloaded when a region is open already.
    if (environment instanceof RegionCoprocessorEnvironment region
        && region.getRegion() != null
        && region.getRegion().isAvailable()) {
      update(region);
    }
  }

  /**
   * Notes that the calling thread writes a flushed file next. That need not be one of HBase's
   * flushing threads: regions are flushed as they open and close, for snapshots, and on request.
   */
  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    enter(FLUSHING, Source.FLUSH);
    return scanner;
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      StoreFile resultFile,
      FlushLifeCycleTracker tracker) {
    leave(FLUSHING);
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
    leave(FLUSHING);
    update(context);
  }

  /** What a coprocessor read on this thread before, outside of any remote call, may have failed. */
  @Override
  public void preCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanType scanType,
      ScanOptions options,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    leave(GETTING);
    leave(SCANNING);
    cache(context.getEnvironment()).ifPresent(cache -> cache.compactions().begin(request));
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType scanType,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    HotRows rows = hotRows;
    return rows == null || !rows.isCounting()
        ? scanner
        : new RowsOfCompaction(
            scanner,
            rows,
            HotRows.storeOf(store.getTableName(), store.getColumnFamilyDescriptor().getName()));
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    enter(GETTING, Source.READ);
    HotRows rows = hotRows;
    if (rows != null && rows.isCounting()) {
      for (byte[] family : get.hasFamilies() ? get.familySet() : allFamilies(context)) {
        rows.read(
            HotRows.storeOf(context.getEnvironment().getRegionInfo().getTable(), family),
            get.getRow());
      }
    }
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    leave(GETTING);
  }

  private static Set<byte[]> allFamilies(ObserverContext<RegionCoprocessorEnvironment> context) {
    return context.getEnvironment().getRegion().getTableDescriptor().getColumnFamilyNames();
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      @Nullable StoreFile resultFile,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    try {
      // The store still lists the old files at this moment.
      cache(context.getEnvironment())
          .ifPresent(
              cache -> {
                cache
                    .filesOf(nameOf(context.getEnvironment()))
                    .compacted(cache, request.getFiles(), resultFile);
                cache
                    .compactions()
                    .committed(
                        request.getFiles(), resultFile, swap -> swap.isIn(store.getStorefiles()));
              });
    } finally {
      Reference.reachabilityFence(request); // Collected, it would stand for a failure.
    }
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      List<Pair<byte[], String>> stagingFamilyPaths,
      @Nullable Map<byte[], List<Path>> finalPaths) {
    update(context);
  }

  /** A scan's first seeks come next; a get before it in this remote call may have failed. */
  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) {
    leave(GETTING);
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext) {
    enter(SCANNING, Source.SCAN);
    return hasNext;
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext) {
    leave(SCANNING);
    return hasNext;
  }

  private static void enter(ThreadLocal<@Nullable ThreadSource> entered, Source source) {
    leave(entered); // Of a call that failed before its end, or a store that got no file.
    entered.set(ThreadSource.enter(source));
  }

  private static void leave(ThreadLocal<@Nullable ThreadSource> entered) {
    ThreadSource scope = entered.get();
    if (scope != null) {
      entered.remove();
      scope.close();
    }
  }

  private void update(ObserverContext<RegionCoprocessorEnvironment> context) {
    update(context.getEnvironment());
  }

  private void update(RegionCoprocessorEnvironment environment) {
    cache(environment)
        .ifPresent(
            cache -> {
              hotRows = cache.compactions().hotRows();
              cache.filesOf(nameOf(environment)).replace(cache, environment.getRegion());
            });
  }

  private static void close(RegionCoprocessorEnvironment environment) {
    cache(environment)
        .ifPresent(
            cache ->
                cache.closeFilesOf(nameOf(environment), ClosedRegion.of(environment.getRegion())));
  }

  private static String nameOf(RegionCoprocessorEnvironment environment) {
    return environment.getRegionInfo().getEncodedName();
  }

  /** Nothing on a server without NVCache, which may have loaded this with the table. */
  @SuppressWarnings("deprecation") // HBase's own core coprocessors have no other way.
  private static Optional<NvHBaseBlockCache> cache(RegionCoprocessorEnvironment environment) {
    if (!(environment instanceof HasRegionServerServices server)) {
      return Optional.empty();
    }
    RegionServerServices services = server.getRegionServerServices();
    return services == null
        ? Optional.empty()
        : services.getBlockCache().flatMap(NvHBaseBlockCache::in);
  }
}
