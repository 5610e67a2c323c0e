// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_nvcache/stats} and {@code GET /_nvcache/{nodeId}/stats}. */
public final class RestNvCacheStatsAction extends BaseRestHandler {
  @Override
  public String getName() {
    return "nvcache_stats_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, "/_nvcache/stats"),
        new Route(RestRequest.Method.GET, "/_nvcache/{nodeId}/stats"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String[] nodes = Strings.splitStringByCommaToArray(request.param("nodeId"));
    NvCacheStatsRequest asked = new NvCacheStatsRequest(nodes);
    asked.timeout(request.param("timeout"));
    return channel ->
        client.execute(
            NvCacheStatsAction.INSTANCE, asked, new NodesResponseRestListener<>(channel));
  }
}
