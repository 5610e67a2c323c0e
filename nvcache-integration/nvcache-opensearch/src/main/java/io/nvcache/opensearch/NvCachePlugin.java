// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.lucene.LuceneCache;
import io.nvcache.opensearch.stats.NvCacheStatsAction;
import io.nvcache.opensearch.stats.RestNvCacheStatsAction;
import io.nvcache.opensearch.stats.StatsSource;
import io.nvcache.opensearch.stats.TransportNvCacheStatsAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexService;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.ShardPath;
import org.opensearch.index.store.RemoteSegmentStoreDirectory;
import org.opensearch.index.store.remote.filecache.FileCache;
import org.opensearch.index.store.remote.filecache.FileCacheSettings;
import org.opensearch.indices.cluster.IndicesClusterStateService.AllocatedIndices.IndexRemovalReason;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.BlockCache;
import org.opensearch.plugins.BlockCacheProvider;
import org.opensearch.plugins.IndexStorePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Adds the composite store {@code nvcache}: shards of warm indices are read from the remote store
 * through the node's cache. A node that has the role {@code warm} has a cache if {@code
 * nvcache.capacity} is set there; on others the plug-in only knows the settings.
 */
public final class NvCachePlugin extends Plugin
    implements IndexStorePlugin, ActionPlugin, BlockCacheProvider {
  private final Settings settings;
  private volatile @Nullable NodeCache cache;

  /** Takes the settings of the node; OpenSearch calls this once. */
  public NvCachePlugin(Settings settings) {
    this.settings = settings;
  }

  private boolean hasCache() {
    return DiscoveryNode.isWarmNode(settings) && NodeSettings.CAPACITY.get(settings).getBytes() > 0;
  }

  @Override
  public List<Setting<?>> getSettings() {
    return NodeSettings.all();
  }

  /** Builds the cache of the node. */
  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      ResourceWatcherService resourceWatcherService,
      ScriptService scriptService,
      NamedXContentRegistry xContentRegistry,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry namedWriteableRegistry,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<RepositoriesService> repositoriesServiceSupplier) {
    if (hasCache()) {
      Path folder = nodeEnvironment.nodePaths()[0].path.resolve("nvcache");
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new IllegalStateException("could not make " + folder + " for the cache", e);
      }
      LuceneCache built =
          NodeSettings.build(settings, folder, "opensearch-" + nodeEnvironment.nodeId());
      NodeSettings.follow(clusterService.getClusterSettings(), built.blocks());
      cache = new NodeCache(built, NodeSettings.MEDIUM.get(settings));
    }
    return List.of(new StatsSource(cache == null ? null : cache::snapshot));
  }

  @Override
  public Map<String, CompositeDirectoryFactory> getCompositeDirectoryFactories() {
    return Map.of(NodeCache.NAME, this::newDirectory);
  }

  private Directory newDirectory(
      IndexSettings index,
      ShardPath path,
      DirectoryFactory local,
      Directory remote,
      @Nullable FileCache fileCache,
      ThreadPool threadPool)
      throws IOException {
    NodeCache mine = cache;
    if (mine == null) {
      throw new IllegalStateException(
          index.getIndex()
              + " is of the composite store nvcache, and this node has no cache; give it the role"
              + " warm, and set "
              + NodeSettings.CAPACITY.getKey()
              + " to its bytes, such as 64gb");
    }
    if (!(remote instanceof RemoteSegmentStoreDirectory objects)) {
      throw new IllegalStateException(
          index.getIndex()
              + " is of the composite store nvcache, and has no remote segment store; set up"
              + " remote-backed storage first");
    }
    return mine.directory(local.newDirectory(index, path), objects, fileCache);
  }

  /** Has an index that is deleted give the space of its blocks back at once. */
  @Override
  public void onIndexModule(IndexModule module) {
    module.addIndexEventListener(
        new IndexEventListener() {
          @Override
          public void beforeIndexRemoved(IndexService index, IndexRemovalReason reason) {
            if (reason == IndexRemovalReason.DELETED) {
              index.forEach(NvCachePlugin::freeAtClose);
            }
          }
        });
  }

  private static void freeAtClose(IndexShard shard) {
    try {
      CachedWarmDirectory.deleteWithIndex(shard.store().directory());
    } catch (AlreadyClosedException e) {
      // Its blocks are evicted in time, like all that are not read. The index must still go.
    }
  }

  @Override
  public String cacheName() {
    return NodeCache.NAME;
  }

  /** Returns what a cache in a file takes of the space that the node has for caches. */
  @Override
  public long requestedCapacityBytes(Settings nodeSettings, long totalBudgetBytes) {
    return hasCache() && NodeSettings.isOnDisk(settings)
        ? NodeSettings.CAPACITY.get(settings).getBytes()
        : 0;
  }

  /** Returns how many bytes of indices a byte of the cache may serve, as of the file cache. */
  @Override
  public double dataToCapacityRatio(Settings nodeSettings) {
    return FileCacheSettings.DATA_TO_FILE_CACHE_SIZE_RATIO_SETTING.get(nodeSettings);
  }

  @Override
  public Optional<BlockCache> getBlockCache() {
    return Optional.ofNullable(cache);
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    return List.of(
        new ActionHandler<>(NvCacheStatsAction.INSTANCE, TransportNvCacheStatsAction.class));
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings nodeSettings,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<DiscoveryNodes> nodesInCluster) {
    return List.of(new RestNvCacheStatsAction());
  }

  @Override
  public void close() {
    NodeCache mine = cache;
    if (mine != null) {
      mine.close();
    }
  }
}
