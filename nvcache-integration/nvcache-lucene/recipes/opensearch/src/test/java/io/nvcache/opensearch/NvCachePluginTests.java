// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.nvcache.lucene.FileClassCounts;
import io.nvcache.lucene.LuceneCache;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A node of OpenSearch's test framework, with an index that is read through the cache. */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // The cache's own threads end when they are idle.
public final class NvCachePluginTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 500;
  private static final int TITLES = 7;

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(NvCachePlugin.class);
  }

  public void testSearchesAndMergesThroughTheCache() {
    createIndex(
        "books",
        Settings.builder()
            .put("index.store.type", "nvcache")
            .put("index.number_of_shards", 2)
            .put("index.number_of_replicas", 0)
            .build());
    for (int i = 0; i < DOCUMENTS; i++) {
      client()
          .prepareIndex("books")
          .setId(Integer.toString(i))
          .setSource(Map.of("title", "book " + i % TITLES, "number", i))
          .get();
      if (i % 100 == 99) {
        client().admin().indices().prepareFlush("books").get();
      }
    }
    client().admin().indices().prepareRefresh("books").get();
    searchAll();
    client().admin().indices().prepareForceMerge("books").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("books").get();
    searchAll();

    LuceneCache cache =
        getInstanceFromNode(PluginsService.class)
            .filterPlugins(NvCachePlugin.class)
            .get(0)
            .cache();
    long hits =
        cache.countsByExtension().values().stream().mapToLong(FileClassCounts::hits).sum();
    assertTrue(hits > 0);
    assertTrue(client().admin().indices().prepareDelete("books").get().isAcknowledged());
    assertEquals(0, cache.blocks().stats().pinnedBytes());
  }

  private void searchAll() {
    for (int title = 0; title < TITLES; title++) {
      SearchResponse found =
          client()
              .prepareSearch("books")
              .setQuery(QueryBuilders.matchQuery("title", Integer.toString(title)))
              .setSize(DOCUMENTS)
              .addSort("number", SortOrder.ASC)
              .get();
      int expected = (DOCUMENTS - title + TITLES - 1) / TITLES;
      assertEquals(expected, found.getHits().getHits().length);
      for (int i = 0; i < expected; i++) {
        assertEquals(
            title + TITLES * i, found.getHits().getAt(i).getSourceAsMap().get("number"));
      }
    }
  }
}
