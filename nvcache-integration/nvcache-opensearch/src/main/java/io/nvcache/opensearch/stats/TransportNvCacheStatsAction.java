// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Answers {@link NvCacheStatsAction}. */
public final class TransportNvCacheStatsAction
    extends TransportNodesAction<
        NvCacheStatsRequest,
        NvCacheStatsResponse,
        TransportNvCacheStatsAction.NodeRequest,
        NvCacheStatsResponse.OfNode> {
  private final @Nullable Supplier<NodeCacheStats> cache;

  /** Takes what OpenSearch injects. */
  @Inject
  public TransportNvCacheStatsAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters actionFilters,
      StatsSource source) {
    super(
        NvCacheStatsAction.INSTANCE.name(),
        threadPool,
        clusterService,
        transportService,
        actionFilters,
        NvCacheStatsRequest::new,
        NodeRequest::new,
        ThreadPool.Names.MANAGEMENT,
        NvCacheStatsResponse.OfNode.class);
    this.cache = source.cache();
  }

  @Override
  protected NvCacheStatsResponse newResponse(
      NvCacheStatsRequest request,
      List<NvCacheStatsResponse.OfNode> nodes,
      List<FailedNodeException> failures) {
    return new NvCacheStatsResponse(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected NodeRequest newNodeRequest(NvCacheStatsRequest request) {
    return new NodeRequest(request);
  }

  @Override
  protected NvCacheStatsResponse.OfNode newNodeResponse(StreamInput in) throws IOException {
    return new NvCacheStatsResponse.OfNode(in);
  }

  @Override
  protected NvCacheStatsResponse.OfNode nodeOperation(NodeRequest request) {
    return new NvCacheStatsResponse.OfNode(
        clusterService.localNode(), cache == null ? null : cache.get());
  }

  /** The request as one node gets it. */
  public static final class NodeRequest extends TransportRequest {
    private final NvCacheStatsRequest request;

    NodeRequest(NvCacheStatsRequest request) {
      this.request = request;
    }

    NodeRequest(StreamInput in) throws IOException {
      super(in);
      request = new NvCacheStatsRequest(in);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      request.writeTo(out);
    }
  }
}
