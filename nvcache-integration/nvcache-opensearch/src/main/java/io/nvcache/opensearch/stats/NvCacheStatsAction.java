// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import org.opensearch.action.ActionType;

/** Asks the nodes of a cluster for the statistics of their caches. */
public final class NvCacheStatsAction extends ActionType<NvCacheStatsResponse> {
  /** The one there is. */
  public static final NvCacheStatsAction INSTANCE = new NvCacheStatsAction();

  private NvCacheStatsAction() {
    super("cluster:monitor/nvcache/stats", NvCacheStatsResponse::new);
  }
}
