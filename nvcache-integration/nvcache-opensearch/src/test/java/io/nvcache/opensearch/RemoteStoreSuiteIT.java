// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.rules.TestRule;
import org.junit.runners.model.Statement;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.remotestore.RemoteStoreCoreTestCase;
import org.opensearch.test.NodeRoles;
import org.opensearch.test.OpenSearchIntegTestCase;

/**
 * OpenSearch's own suite of its remote store, on warm indices of the composite store that {@code
 * nvcache.test.store} names: {@code nvcache} unless set, {@code default} to compare.
 */
@ThreadLeakFilters(filters = CacheThreads.class)
@OpenSearchIntegTestCase.ClusterScope(scope = OpenSearchIntegTestCase.Scope.TEST, numDataNodes = 0)
public final class RemoteStoreSuiteIT extends RemoteStoreCoreTestCase {
  /** They start nodes of the role data alone, where no warm index can be. */
  private static final Set<String> WITHOUT_WARM_NODES =
      Set.of(
          "testAsyncDurabilityThrowsExceptionWhenRestrictSettingTrue",
          "testAsyncDurabilityWhenRestrictSettingExplicitFalse",
          "testAsyncDurabilityWhenRestrictSettingImplicitFalse",
          "testAsyncTranslogDurabilityRestrictionsThroughIdxTemplates",
          "testDefaultBufferInterval",
          "testFallbackToNodeToNodeSegmentCopy",
          "testFlushOnTooManyRemoteTranslogFiles",
          "testLocalOnlyTranslogCleanupOnNodeRestart",
          "testNoMultipleWriterDuringPrimaryRelocation",
          "testNoSearchIdleForAnyReplicaCount",
          "testOverriddenBufferInterval",
          "testRequestDurabilityWhenRestrictSettingExplicitFalse",
          "testRequestDurabilityWhenRestrictSettingImplicitFalse",
          "testRestoreSnapshotToIndexWithSameNameDifferentUUID",
          "testResumeUploadAfterFailedPrimaryRelocation",
          "testStaleCommitDeletionWithInvokeFlush",
          "testStaleCommitDeletionWithoutInvokeFlush",
          "testSuccessfulShallowV1SnapshotPostIndexClose");

  private static final String STORE = System.getProperty("nvcache.test.store", NodeCache.NAME);

  /** Leaves tests out before OpenSearch looks at the nodes, of which they would have none. */
  @Rule
  public final TestRule leaveOutWhatHasNoWarmNode =
      (test, description) ->
          new Statement() {
            @Override
            public void evaluate() throws Throwable {
              String name = description.getMethodName().split(" ", 2)[0];
              assumeFalse("starts no warm node", WITHOUT_WARM_NODES.contains(name));
              test.evaluate();
            }
          };

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return Stream.concat(super.nodePlugins().stream(), Stream.of(NvCachePlugin.class)).toList();
  }

  @Override
  protected Settings featureFlagSettings() {
    return WarmClusterTestCase.withWarmIndices(super.featureFlagSettings());
  }

  @Override
  protected boolean addMockIndexStorePlugin() {
    return false;
  }

  @Override
  protected Settings nodeSettings(int ordinal) {
    Settings settings = WarmClusterTestCase.withCache(super.nodeSettings(ordinal), "16mb");
    return Settings.builder()
        .put(settings)
        .put(NodeRoles.addRoles(settings, Set.of(DiscoveryNodeRole.WARM_ROLE)))
        .build();
  }

  @Override
  protected Settings remoteStoreIndexSettings(int replicas, int shards) {
    return WarmClusterTestCase.warm(super.remoteStoreIndexSettings(replicas, shards), STORE);
  }
}
