// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RegionRecordsTest {
  /** A lack of heap is the state of a moment, and not of all regions to come. */
  @Test
  void shouldListEachBlockOnce_AfterAWantOfHeap() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xmx48m", "-XX:+UseSerialGC"), ScarceRecords.class))
        .contains("failed several times, lists all");
  }
}
