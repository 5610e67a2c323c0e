// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.FeatureFlags;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.remotestore.RemoteStoreBaseIntegTestCase;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.NodeRoles;
import org.opensearch.test.OpenSearchIntegTestCase;

/**
 * Searches one index by OpenSearch's own warm directory and by the cache, in turns, on a remote
 * store of 20 ms per request, with caches of a quarter of the index. Run by hand: it is named
 * neither as a test nor as an integration test.
 */
@ThreadLeakFilters(filters = CacheThreads.class)
@OpenSearchIntegTestCase.ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false)
public final class WarmComparison extends RemoteStoreBaseIntegTestCase {
  private static final int DOCUMENTS = Integer.getInteger("compare.documents", 160_000);
  private static final int SECONDS = Integer.getInteger("compare.seconds", 20);
  private static final int TURNS = Integer.getInteger("compare.turns", 3);
  private static final int THREADS = Integer.getInteger("compare.threads", 2);
  private static final int BULK = 2000;
  private static final int SOURCE_BYTES = 1500;
  private static final long DELAY_MILLIS = 20;
  private static final String CACHE = System.getProperty("compare.cache", "80mb");
  private static final String MEDIUM = System.getProperty("compare.medium", "native");
  private static final double SKEW = 0.9;

  private final List<String> stores =
      List.of(System.getProperty("compare.stores", "default,nvcache").split(","));

  public WarmComparison() {
    asyncUploadMockFsRepo = false;
    remoteStoreFencing = false;
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return Stream.concat(
            super.nodePlugins().stream(),
            Stream.of(NvCachePlugin.class, DelayedRepositoryPlugin.class))
        .toList();
  }

  @Override
  protected Settings featureFlagSettings() {
    return Settings.builder()
        .put(super.featureFlagSettings())
        .put(FeatureFlags.WRITABLE_WARM_INDEX_EXPERIMENTAL_FLAG, true)
        .build();
  }

  @Override
  protected boolean addMockIndexStorePlugin() {
    return false;
  }

  @Override
  protected Settings remoteStoreRepoSettings() {
    return remoteStoreClusterSettings(
        REPOSITORY_NAME,
        segmentRepoPath,
        DelayedRepositoryPlugin.TYPE,
        REPOSITORY_2_NAME,
        translogRepoPath,
        "fs");
  }

  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put(Node.NODE_SEARCH_CACHE_SIZE_SETTING.getKey(), "2gb")
        .put("nvcache.capacity", CACHE)
        .put("nvcache.medium", MEDIUM)
        .build();
  }

  private void makeIndex(String store) throws Exception {
    createIndex(
        store,
        Settings.builder()
            .put(remoteStoreIndexSettings(0))
            .put(IndexModule.IS_WARM_INDEX_SETTING.getKey(), true)
            .put(IndexModule.INDEX_COMPOSITE_STORE_TYPE_SETTING.getKey(), store)
            .build());
    client()
        .admin()
        .indices()
        .preparePutMapping(store)
        .setSource(
            "{\"properties\":{\"key\":{\"type\":\"keyword\"},"
                + "\"payload\":{\"type\":\"keyword\",\"index\":false,\"doc_values\":false}}}",
            org.opensearch.common.xcontent.XContentType.JSON)
        .get();
    Random random = new Random(42);
    byte[] payload = new byte[SOURCE_BYTES * 3 / 4];
    for (int i = 0; i < DOCUMENTS; i += BULK) {
      BulkRequest bulk = new BulkRequest();
      for (int j = i; j < Math.min(DOCUMENTS, i + BULK); j++) {
        random.nextBytes(payload);
        bulk.add(
            new IndexRequest(store)
                .id(Integer.toString(j))
                .source(
                    Map.of(
                        "key",
                        key(j),
                        "number",
                        j,
                        "payload",
                        Base64.getEncoder().encodeToString(payload))));
      }
      assertFalse(client().bulk(bulk).actionGet().hasFailures());
    }
    client().admin().indices().prepareForceMerge(store).setMaxNumSegments(2).get();
    flushAndRefresh(store);
  }

  private static String key(int document) {
    return Integer.toHexString(document * 0x9E3779B9);
  }

  /** What a turn came to. */
  private record Turn(
      double perSecond, long requests, long bytes, double p50, double p99, long n, long failed) {}

  private Turn search(String store, int seed, int seconds) throws Exception {
    long requests = DelayedRepositoryPlugin.REQUESTS.sum();
    long bytes = DelayedRepositoryPlugin.BYTES.sum();
    LongAdder failed = new LongAdder();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<List<Long>>> all = new ArrayList<>();
    long begin = System.nanoTime();
    long end = begin + seconds * 1_000_000_000L;
    for (int t = 0; t < THREADS; t++) {
      Random random = new Random(seed * 100L + t);
      all.add(
          pool.submit(
              () -> {
                List<Long> nanos = new ArrayList<>();
                while (System.nanoTime() < end) {
                  // Zipf by inversion: rank to a document that its key scatters.
                  double u = random.nextDouble();
                  int rank = (int) Math.min(DOCUMENTS - 1, Math.pow(u, 1 / (1 - SKEW)) * DOCUMENTS);
                  int document = Math.floorMod(rank * 7919, DOCUMENTS);
                  long start = System.nanoTime();
                  SearchResponse found;
                  try {
                    found =
                        client()
                            .prepareSearch(store)
                            .setQuery(QueryBuilders.termQuery("key", key(document)))
                            .get();
                  } catch (OpenSearchException e) { // "Local file cache capacity exceeded", say.
                    failed.increment();
                    continue;
                  }
                  nanos.add(System.nanoTime() - start);
                  assertEquals(0, found.getFailedShards());
                  assertEquals(1, found.getHits().getHits().length);
                  assertEquals(document, found.getHits().getAt(0).getSourceAsMap().get("number"));
                }
                return nanos;
              }));
    }
    List<Long> nanos = new ArrayList<>();
    for (Future<List<Long>> one : all) {
      nanos.addAll(one.get());
    }
    pool.shutdown();
    double took = (System.nanoTime() - begin) / 1e9;
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return new Turn(
        sorted.length / took,
        DelayedRepositoryPlugin.REQUESTS.sum() - requests,
        DelayedRepositoryPlugin.BYTES.sum() - bytes,
        sorted[sorted.length / 2] / 1e6,
        sorted[(int) (sorted.length * 0.99)] / 1e6,
        sorted.length,
        failed.sum());
  }

  public void testCompare() throws Exception {
    internalCluster().startClusterManagerOnlyNode();
    String node =
        internalCluster()
            .startNode(
                Settings.builder()
                    .put(
                        NodeRoles.onlyRoles(
                            Set.of(DiscoveryNodeRole.DATA_ROLE, DiscoveryNodeRole.WARM_ROLE)))
                    .build());
    for (String store : stores) {
      makeIndex(store);
      ensureGreen(store);
      long size =
          client()
              .admin()
              .indices()
              .prepareStats(store)
              .get()
              .getTotal()
              .getStore()
              .getSizeInBytes();
      System.out.printf(
          Locale.ROOT, "COMPARE %s: %d documents, %d bytes%n", store, DOCUMENTS, size);
    }
    // An index larger than the file cache can't be written by OpenSearch's own directory.
    internalCluster()
        .restartNode(
            node,
            new InternalTestCluster.RestartCallback() {
              @Override
              public Settings onNodeStopped(String name) {
                return Settings.builder()
                    .put(Node.NODE_SEARCH_CACHE_SIZE_SETTING.getKey(), CACHE)
                    .build();
              }
            });
    for (String store : stores) {
      ensureGreen(store);
    }
    DelayedRepositoryPlugin.delayMillis = DELAY_MILLIS;
    for (String store : stores) {
      print(store, "warm-up", search(store, 1, 2 * SECONDS));
    }
    for (int turn = 1; turn <= TURNS; turn++) {
      for (String store : stores) {
        print(store, "turn " + turn, search(store, 1 + turn, SECONDS));
      }
    }
    DelayedRepositoryPlugin.delayMillis = 0;
    System.out.println(
        "COMPARE "
            + Arrays.toString(
                client()
                    .execute(
                        io.nvcache.opensearch.stats.NvCacheStatsAction.INSTANCE,
                        new io.nvcache.opensearch.stats.NvCacheStatsRequest())
                    .actionGet()
                    .getNodes()
                    .stream()
                    .map(answer -> answer.stats())
                    .toArray()));
  }

  private static void print(String store, String name, Turn turn) {
    System.out.printf(
        Locale.ROOT,
        "COMPARE %s %s: %.1f queries/s, %.2f requests/query, %.0f bytes/query, p50 %.1f ms, p99"
            + " %.1f ms, %d failed%n",
        store,
        name,
        turn.perSecond(),
        (double) turn.requests() / turn.n(),
        (double) turn.bytes() / turn.n(),
        turn.p50(),
        turn.p99(),
        turn.failed());
  }
}
