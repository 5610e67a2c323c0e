// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class WatchedCacheTest {
  @Test
  void shouldShowLookupsAndChangeALiveSetting() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (BlockCache cache = WatchedCache.open(registry)) {
      for (int i = 0; i < 7; i++) {
        cache.get(1, 0, ByteBuffer.allocate(16));
      }
      assertThat(WatchedCache.lookups(registry)).isEqualTo(7);
      WatchedCache.set("OverheadTargetPercent", 20.0);
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.2);
      assertThat(WatchedCache.attribute("OverheadTargetPercent")).isEqualTo(20.0);
    }
    assertThat(registry.getMeters()).isEmpty();
  }
}
