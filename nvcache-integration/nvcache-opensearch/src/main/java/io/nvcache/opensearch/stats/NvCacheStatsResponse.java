// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** What the nodes answered; those without a cache are left out of the output. */
public final class NvCacheStatsResponse extends BaseNodesResponse<NvCacheStatsResponse.OfNode>
    implements ToXContentFragment {

  /** What one node answered. */
  public static final class OfNode extends BaseNodeResponse {
    private final @Nullable NodeCacheStats stats;

    OfNode(DiscoveryNode node, @Nullable NodeCacheStats stats) {
      super(node);
      this.stats = stats;
    }

    OfNode(StreamInput in) throws IOException {
      super(in);
      stats = in.readOptionalWriteable(NodeCacheStats::new);
    }

    /** Returns the statistics; null if the node has no cache. */
    public @Nullable NodeCacheStats stats() {
      return stats;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeOptionalWriteable(stats);
    }
  }

  NvCacheStatsResponse(
      ClusterName cluster, List<OfNode> nodes, List<FailedNodeException> failures) {
    super(cluster, nodes, failures);
  }

  /** Reads what was written. */
  public NvCacheStatsResponse(StreamInput in) throws IOException {
    super(in);
  }

  @Override
  protected List<OfNode> readNodesFrom(StreamInput in) throws IOException {
    return in.readList(OfNode::new);
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<OfNode> nodes) throws IOException {
    out.writeList(nodes);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject("nodes");
    for (OfNode node : getNodes()) {
      NodeCacheStats stats = node.stats();
      if (stats != null) {
        builder.startObject(node.getNode().getId());
        builder.field("name", node.getNode().getName());
        stats.toXContent(builder, params);
        builder.endObject();
      }
    }
    return builder.endObject();
  }
}
