// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.FeatureFlags;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.index.IndexModule;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.remotestore.RemoteStoreBaseIntegTestCase;
import org.opensearch.test.NodeRoles;

/** Clusters with the plug-in, and with a remote store. */
abstract class WarmClusterTestCase extends RemoteStoreBaseIntegTestCase {
  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return Stream.concat(super.nodePlugins().stream(), Stream.of(NvCachePlugin.class)).toList();
  }

  @Override
  protected Settings featureFlagSettings() {
    return withWarmIndices(super.featureFlagSettings());
  }

  @Override
  protected boolean addMockIndexStorePlugin() {
    return false;
  }

  @Override
  protected Settings nodeSettings(int ordinal) {
    return withCache(super.nodeSettings(ordinal), "64mb");
  }

  static Settings withWarmIndices(Settings flags) {
    return Settings.builder()
        .put(flags)
        .put(FeatureFlags.WRITABLE_WARM_INDEX_EXPERIMENTAL_FLAG, true)
        .build();
  }

  /** Adds a cache, and the space of OpenSearch's own that a warm node needs. */
  static Settings withCache(Settings node, String capacity) {
    return Settings.builder()
        .put(node)
        .put(Node.NODE_SEARCH_CACHE_SIZE_SETTING.getKey(), new ByteSizeValue(1, ByteSizeUnit.GB))
        .put(NodeSettings.CAPACITY.getKey(), capacity)
        .build();
  }

  static Settings warm(Settings index, String store) {
    return Settings.builder()
        .put(index)
        .put(IndexModule.IS_WARM_INDEX_SETTING.getKey(), true)
        .put(IndexModule.INDEX_COMPOSITE_STORE_TYPE_SETTING.getKey(), store)
        .build();
  }

  /** Starts nodes for warm indices, and one that manages the cluster. */
  static List<String> startNodes(int nodes, Settings settings) {
    internalCluster().startClusterManagerOnlyNode();
    return internalCluster()
        .startNodes(
            nodes,
            Settings.builder()
                .put(settings)
                .put(
                    NodeRoles.onlyRoles(
                        Set.of(DiscoveryNodeRole.DATA_ROLE, DiscoveryNodeRole.WARM_ROLE)))
                .build());
  }
}
