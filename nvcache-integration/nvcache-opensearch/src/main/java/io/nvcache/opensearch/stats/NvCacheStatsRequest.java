// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import java.io.IOException;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.core.common.io.stream.StreamInput;

/** Which nodes are asked. */
public final class NvCacheStatsRequest extends BaseNodesRequest<NvCacheStatsRequest> {
  /**
   * Asks nodes.
   *
   * @param nodes ids, names or filters; none for all
   */
  public NvCacheStatsRequest(String... nodes) {
    super(nodes);
  }

  /** Reads what was written. */
  public NvCacheStatsRequest(StreamInput in) throws IOException {
    super(in);
  }
}
