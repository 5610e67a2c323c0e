// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.model.load.Tally;
import io.nvcache.model.load.TraceOperations;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.Tier;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceSource;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceOperationsTest {
  @Test
  void shouldOfferWhatTheTraceScansAsScanned() throws Exception {
    Trace trace = TraceSource.parse("scan-mix:blocks=2000:reads=20000").open(null, 1);
    ModelMachine machine = new ModelMachine(ModelParameters.PAPER, ModelParameters.PAPER.nvram());
    Set<Source> offered = EnumSet.noneOf(Source.class);
    Tier tier =
        new Tier(machine) {
          @Override
          public void fetched(int place, Source source, Activity activity) {
            offered.add(source);
          }
        };
    Store store = new Store(machine, new BlockFile(trace.blocks()), 1, 0, Memory.DRAM, tier);

    new Client(store, machine, new TraceOperations(trace), new Tally(), 0).resume();
    machine.run(Double.POSITIVE_INFINITY);

    assertThat(offered).containsExactlyInAnyOrder(Source.READ, Source.SCAN);
  }
}
