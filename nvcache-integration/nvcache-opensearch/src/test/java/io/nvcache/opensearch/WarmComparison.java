// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.store.remote.filecache.FileCache;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase;

/**
 * Searches one index by OpenSearch's own warm directory and by the cache, in turns, on a remote
 * store of 20 ms per request, with caches of a quarter of the index. Run by hand: it is named
 * neither as a test nor as an integration test.
 *
 * <p>OpenSearch's directory keeps a part that a search has read until the search's inputs are
 * collected as garbage, and fails searches while such parts fill its file cache. So that none
 * fails, garbage is collected between searches whenever half of that cache is in use. The time of
 * it is not counted.
 */
@ThreadLeakFilters(filters = CacheThreads.class)
@OpenSearchIntegTestCase.ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false)
public final class WarmComparison extends WarmClusterTestCase {
  private static final int DOCUMENTS = Integer.getInteger("compare.documents", 120_000);
  private static final int QUERIES = Integer.getInteger("compare.queries", 500);
  private static final long WARM_UP_NANOS =
      TimeUnit.SECONDS.toNanos(Integer.getInteger("compare.warmup", 60));
  private static final int TURNS = Integer.getInteger("compare.turns", 3);
  private static final int BULK = 500;
  private static final int SOURCE_BYTES = 4000;
  private static final long DELAY_MILLIS = 20;
  private static final String CACHE = System.getProperty("compare.cache", "122mb");
  private static final String MEDIUM = System.getProperty("compare.medium", "native");
  private static final double SKEW = 0.9;
  private static final String OWN = "default";

  private final List<String> stores = List.of(OWN, NodeCache.NAME);
  private String node;

  public WarmComparison() {
    asyncUploadMockFsRepo = false;
    remoteStoreFencing = false;
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return Stream.concat(super.nodePlugins().stream(), Stream.of(DelayedRepositoryPlugin.class))
        .toList();
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
        .put(withCache(super.nodeSettings(ordinal), CACHE))
        .put(Node.NODE_SEARCH_CACHE_SIZE_SETTING.getKey(), "2gb")
        .put("nvcache.medium", MEDIUM)
        .build();
  }

  private void makeIndex(String store) throws Exception {
    createIndex(
        store,
        Settings.builder()
            .put(warm(remoteStoreIndexSettings(0), store))
            .put("index.refresh_interval", "-1")
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

  /** What a turn came to; searches that fail end the comparison. */
  private record Turn(
      double queriesPerSecond, double requestsPerQuery, double bytesPerQuery, double p99Millis) {}

  /** Searches until a number of searches or a time is over; collections do not count for either. */
  private Turn search(String store, int seed, int atMost, long atMostNanos) throws Exception {
    FileCache fileCache = internalCluster().getInstance(Node.class, node).fileCache();
    long requests = DelayedRepositoryPlugin.REQUESTS.sum();
    long bytes = DelayedRepositoryPlugin.BYTES.sum();
    Random random = new Random(seed);
    List<Long> all = new ArrayList<>();
    long total = 0;
    while (all.size() < atMost && total < atMostNanos) {
      makeRoom(fileCache);
      // Zipf by inversion: rank to a document that its key scatters.
      double u = random.nextDouble();
      int rank = (int) Math.min(DOCUMENTS - 1, Math.pow(u, 1 / (1 - SKEW)) * DOCUMENTS);
      int document = Math.floorMod(rank * 7919, DOCUMENTS);
      long start = System.nanoTime();
      SearchResponse found =
          client()
              .prepareSearch(store)
              .setQuery(QueryBuilders.termQuery("key", key(document)))
              .get();
      long nanos = System.nanoTime() - start;
      all.add(nanos);
      total += nanos;
      assertEquals(found.toString(), 0, found.getFailedShards());
      assertEquals(1, found.getHits().getHits().length);
      assertEquals(document, found.getHits().getAt(0).getSourceAsMap().get("number"));
    }
    long[] sorted = all.stream().mapToLong(Long::longValue).sorted().toArray();
    double queries = sorted.length;
    return new Turn(
        queries * 1e9 / total,
        (DelayedRepositoryPlugin.REQUESTS.sum() - requests) / queries,
        (DelayedRepositoryPlugin.BYTES.sum() - bytes) / queries,
        sorted[(int) (queries * 0.99)] / 1e6);
  }

  /** Has the parts that no search needs any more be free to go. */
  private static void makeRoom(FileCache fileCache) throws Exception {
    for (int i = 0; fileCache.activeUsage() > fileCache.capacity() / 2 && i < 20; i++) {
      System.gc();
      Thread.sleep(20); // The cleaner's thread closes what was collected.
    }
  }

  public void testCompare() throws Exception {
    node = startNodes(1, Settings.EMPTY).get(0);
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
    for (String store : stores) {
      print(store, "warm-up, no delay", search(store, 1, Integer.MAX_VALUE, WARM_UP_NANOS));
    }
    DelayedRepositoryPlugin.delayMillis = DELAY_MILLIS;
    List<Turn> own = new ArrayList<>();
    List<Turn> cached = new ArrayList<>();
    for (int turn = 1; turn <= TURNS; turn++) {
      own.add(search(OWN, 1 + turn, QUERIES, Long.MAX_VALUE));
      print(OWN, "turn " + turn, own.get(turn - 1));
      cached.add(search(NodeCache.NAME, 1 + turn, QUERIES, Long.MAX_VALUE));
      print(NodeCache.NAME, "turn " + turn, cached.get(turn - 1));
    }
    DelayedRepositoryPlugin.delayMillis = 0;
    record("ratio_to_default_warm", cached, own, Turn::queriesPerSecond);
    record("requests_ratio_to_default_warm", cached, own, Turn::requestsPerQuery);
    record("bytes_ratio_to_default_warm", cached, own, Turn::bytesPerQuery);
    record("p99_ratio_to_default_warm", cached, own, Turn::p99Millis);
  }

  /** Prints the median of the turns' ratios in the form of the command line's records. */
  private static void record(
      String metric, List<Turn> cached, List<Turn> own, ToDoubleFunction<Turn> of) {
    double[] ratios =
        IntStream.range(0, TURNS)
            .mapToDouble(i -> of.applyAsDouble(cached.get(i)) / of.applyAsDouble(own.get(i)))
            .sorted()
            .toArray();
    System.out.printf(
        Locale.ROOT,
        "COMPARE {\"metric\": \"%s\", \"labels\": {\"engine\": \"opensearch\", \"medium\":"
            + " \"%s\"}, \"value\": %.4f, \"unit\": \"ratio\"}%n",
        metric,
        MEDIUM,
        ratios[TURNS / 2]);
  }

  private static void print(String store, String name, Turn turn) {
    System.out.printf(
        Locale.ROOT,
        "COMPARE %s %s: %.1f queries/s, %.2f requests/query, %.0f bytes/query, p99 %.1f ms%n",
        store,
        name,
        turn.queriesPerSecond(),
        turn.requestsPerQuery(),
        turn.bytesPerQuery(),
        turn.p99Millis());
  }
}
