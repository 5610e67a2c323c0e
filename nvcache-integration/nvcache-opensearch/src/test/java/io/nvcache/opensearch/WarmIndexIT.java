// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import io.nvcache.opensearch.stats.NodeCacheStats;
import io.nvcache.opensearch.stats.NvCacheStatsAction;
import io.nvcache.opensearch.stats.NvCacheStatsRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest;
import org.opensearch.action.admin.cluster.remotestore.restore.RestoreRemoteStoreRequest;
import org.opensearch.action.admin.cluster.remotestore.restore.RestoreRemoteStoreResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.cluster.routing.allocation.command.MoveAllocationCommand;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.Index;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.NodeRoles;
import org.opensearch.test.OpenSearchIntegTestCase;

/** Clusters of OpenSearch's test framework, whose warm indices are read through the cache. */
@ThreadLeakFilters(filters = CacheThreads.class)
@OpenSearchIntegTestCase.ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false)
public final class WarmIndexIT extends WarmClusterTestCase {
  private static final String INDEX = "books";
  private static final int TITLES = 7;
  private static final int SEGMENT = 100;

  private Settings warm(int replicas) {
    return warm(remoteStoreIndexSettings(replicas), NodeCache.NAME);
  }

  /** Adds documents, in several segments. */
  private int addBooks(int from, int documents) {
    for (int i = from; i < from + documents; i += SEGMENT) {
      BulkRequest books = new BulkRequest();
      for (int j = i; j < i + SEGMENT; j++) {
        books.add(
            new IndexRequest(INDEX)
                .id(Integer.toString(j))
                .source(Map.of("title", "book " + j % TITLES, "number", j)));
      }
      assertFalse(client().bulk(books).actionGet().hasFailures());
      refresh(INDEX);
    }
    flushAndRefresh(INDEX);
    return from + documents;
  }

  private static void searchAll(int documents) {
    for (int title = 0; title < TITLES; title++) {
      SearchResponse found =
          client()
              .prepareSearch(INDEX)
              .setQuery(QueryBuilders.matchQuery("title", Integer.toString(title)))
              .setSize(documents)
              .addSort("number", SortOrder.ASC)
              .get();
      assertEquals(found.toString(), 0, found.getFailedShards());
      int expected = (documents - title + TITLES - 1) / TITLES;
      assertEquals(expected, found.getHits().getHits().length);
      for (int i = 0; i < expected; i++) {
        assertEquals(title + TITLES * i, found.getHits().getAt(i).getSourceAsMap().get("number"));
      }
    }
  }

  private static List<NodeCacheStats> stats(String... nodes) {
    return client()
        .execute(NvCacheStatsAction.INSTANCE, new NvCacheStatsRequest(nodes))
        .actionGet()
        .getNodes()
        .stream()
        .map(node -> node.stats())
        .filter(Objects::nonNull)
        .toList();
  }

  private static long sum(String number) {
    return stats().stream().mapToLong(of -> of.numbers().get(number)).sum();
  }

  public void testReadsWritesAndMergesThroughTheCache() throws Exception {
    startNodes(1, Settings.EMPTY);
    createIndex(INDEX, warm(0));
    ensureGreen(INDEX);
    int documents = addBooks(0, 500);
    searchAll(documents);
    // All but the commits is uploaded, and takes no local space any more.
    assertBusy(() -> assertTrue(stats().toString(), sum("local_in_bytes") < 20_000));
    client().admin().indices().prepareForceMerge(INDEX).setMaxNumSegments(1).get();
    flushAndRefresh(INDEX);
    searchAll(documents);
    assertBusy(() -> assertTrue(stats().toString(), sum("local_in_bytes") < 20_000));
    searchAll(documents);

    assertTrue(sum("hit_count") > 0);
    assertEquals(0, sum("remote_failures"));
    assertEquals(0, sum("refused_uploads"));
    var fileCache =
        client()
            .admin()
            .cluster()
            .nodesStats(
                new NodesStatsRequest()
                    .addMetric(NodesStatsRequest.Metric.FILE_CACHE_STATS.metricName()))
            .actionGet()
            .getNodes()
            .stream()
            .map(node -> node.getFileCacheStats())
            .filter(Objects::nonNull)
            .toList();
    assertEquals(1, fileCache.size());
    assertTrue(fileCache.get(0).getCacheHits() > 0);
    assertAcked(client().admin().indices().prepareDelete(INDEX).get());
    assertBusy(() -> assertEquals(0, sum("local_in_bytes")));
  }

  public void testMovesReplicatesAndFailsOver() throws Exception {
    List<String> nodes = startNodes(3, Settings.EMPTY);
    createIndex(INDEX, warm(1));
    ensureGreen(INDEX);
    int documents = addBooks(0, 200);
    waitForReplicas(documents);
    searchAll(documents);

    String primary = primaryNodeName(INDEX);
    String replica = replicaNodeName(INDEX);
    String third =
        nodes.stream().filter(node -> !Set.of(primary, replica).contains(node)).findAny().get();
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareReroute()
            .add(new MoveAllocationCommand(INDEX, 0, primary, third))
            .get());
    ensureGreen(INDEX);
    assertEquals(third, primaryNodeName(INDEX));
    searchAll(documents);
    documents = addBooks(documents, 100);
    waitForReplicas(documents);
    searchAll(documents);
    assertTrue(stats().toString(), sum("remote_requests") > 0);

    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(third));
    ensureGreen(INDEX);
    documents = addBooks(documents, 100);
    waitForReplicas(documents);
    searchAll(documents);
    assertEquals(0, sum("refused_uploads"));
  }

  /** Waits until each copy of the shard finds all documents. */
  private void waitForReplicas(int documents) throws Exception {
    assertBusy(
        () -> {
          for (String preference : List.of("_primary", "_replica")) {
            long found =
                client()
                    .prepareSearch(INDEX)
                    .setPreference(preference)
                    .setSize(0)
                    .setTrackTotalHits(true)
                    .get()
                    .getHits()
                    .getTotalHits()
                    .value();
            assertEquals(preference, documents, found);
          }
        });
  }

  public void testRestoresFromTheRemoteStore() throws Exception {
    List<String> nodes = startNodes(1, Settings.EMPTY);
    createIndex(INDEX, warm(0));
    ensureGreen(INDEX);
    int documents = addBooks(0, 200);
    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(nodes.get(0)));
    ensureRed(INDEX);
    internalCluster()
        .startNode(
            NodeRoles.onlyRoles(Set.of(DiscoveryNodeRole.DATA_ROLE, DiscoveryNodeRole.WARM_ROLE)));
    PlainActionFuture<RestoreRemoteStoreResponse> restored = PlainActionFuture.newFuture();
    client()
        .admin()
        .cluster()
        .restoreRemoteStore(new RestoreRemoteStoreRequest().indices(INDEX), restored);
    restored.actionGet();
    ensureGreen(INDEX);
    searchAll(documents);
    searchAll(addBooks(documents, 100));
  }

  public void testRestartsWarm() throws Exception {
    List<String> nodes = startNodes(1, Settings.builder().put("nvcache.medium", "flash").build());
    createIndex(INDEX, warm(0));
    ensureGreen(INDEX);
    int documents = addBooks(0, 500);
    assertBusy(() -> assertTrue(stats().toString(), sum("local_in_bytes") < 20_000));
    searchAll(documents);
    // What was cached before its upload has the name of an object by now.
    internalCluster().restartNode(nodes.get(0));
    ensureGreen(INDEX);
    searchAll(documents);
    assertTrue(stats().toString(), sum("restored_blocks") > 0);
    assertTrue(stats().toString(), sum("remote_requests") < sum("restored_blocks") / 2);
    long restored = sum("restored_blocks");
    // And what was opened as an object.
    internalCluster().restartNode(nodes.get(0));
    ensureGreen(INDEX);
    searchAll(documents);
    assertTrue(stats().toString(), sum("restored_blocks") >= restored);
    assertTrue(stats().toString(), sum("remote_requests") < restored / 2);
    searchAll(addBooks(documents, 100));
  }

  public void testDeletedIndexGivesItsBlocksBack() throws Exception {
    startNodes(1, Settings.builder().put("nvcache.medium", "flash").build());
    createIndex(INDEX, warm(0));
    ensureGreen(INDEX);
    searchAll(addBooks(0, 300));
    assertBusy(() -> assertTrue(stats().toString(), sum("local_in_bytes") < 20_000));
    assertTrue(sum("blocks") > 0);
    // Closed, it leaves them to who opens it.
    assertAcked(client().admin().indices().prepareClose(INDEX).get());
    assertTrue(sum("blocks") > 0);
    assertAcked(client().admin().indices().prepareOpen(INDEX).get());
    ensureGreen(INDEX);
    searchAll(300);
    assertAcked(client().admin().indices().prepareDelete(INDEX).get());
    assertBusy(() -> assertEquals(stats().toString(), 0, sum("blocks")));
  }

  public void testDeletedIndexGivesItsBlocksBackThoughItWasClosed() throws Exception {
    startNodes(1, Settings.builder().put("nvcache.medium", "flash").build());
    createIndex(INDEX, warm(0));
    ensureGreen(INDEX);
    searchAll(addBooks(0, 300));
    assertBusy(() -> assertTrue(stats().toString(), sum("local_in_bytes") < 20_000));
    assertAcked(client().admin().indices().prepareClose(INDEX).get());
    ensureGreen(INDEX);
    assertTrue(sum("blocks") > 0);
    assertAcked(client().admin().indices().prepareDelete(INDEX).get());
    assertBusy(() -> assertEquals(stats().toString(), 0, sum("blocks")));
  }

  public void testDeletedIndexGoesThoughTheStoreOfAShardIsClosed() throws Exception {
    List<String> nodes = startNodes(1, Settings.EMPTY);
    createIndex(INDEX, Settings.builder().put(warm(0)).put("number_of_shards", 2).build());
    ensureGreen(INDEX);
    searchAll(addBooks(0, 300));
    IndicesService indices = internalCluster().getInstance(IndicesService.class, nodes.get(0));
    Index index = resolveIndex(INDEX);
    IndexShard shard = indices.indexServiceSafe(index).getShard(0);
    shard.close("for the test", false, false);
    shard.store().close();
    expectThrows(AlreadyClosedException.class, () -> shard.store().directory());
    assertTrue(sum("blocks") > 0); // Those of the other shard.
    assertAcked(client().admin().indices().prepareDelete(INDEX).get());
    assertBusy(() -> assertNull(indices.indexService(index)));
    assertBusy(() -> assertEquals(stats().toString(), 0, sum("blocks")));
  }

  public void testFollowsItsSettings() {
    startNodes(1, Settings.EMPTY);
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put("nvcache.overhead.target", 0.0)));
    createIndex(INDEX, warm(0));
    ensureGreen(INDEX);
    long admitted = admitted();
    int documents = addBooks(0, 200);
    searchAll(documents);
    assertEquals(admitted, admitted());
    assertTrue(sum("miss_count") > 0);
  }

  private static long admitted() {
    return stats().stream().mapToLong(of -> of.offers().getOrDefault("admitted", 0L)).sum();
  }
}
