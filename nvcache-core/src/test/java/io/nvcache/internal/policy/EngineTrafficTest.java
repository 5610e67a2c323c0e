// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EngineTrafficTest {
  /** Whichever way a block went, admission must not take its room for occupied. */
  @Test
  void shouldCountEveryWayThatABlockGoesAsARemoval() {
    StripedCounters counters = new StripedCounters();
    EngineTraffic traffic = new EngineTraffic(counters);
    List<Counter> ways =
        List.of(
            Counter.EVICTIONS,
            Counter.DISPLACEMENTS,
            Counter.REBALANCINGS,
            Counter.INVALIDATIONS,
            Counter.QUARANTINES,
            Counter.REINSERTIONS);
    for (int i = 0; i < ways.size(); i++) {
      counters.add(counters.stripe(), ways.get(i), 1);
      assertThat(traffic.removedBlocks()).as("%s", ways.get(i)).isEqualTo(i + 1);
    }
  }
}
