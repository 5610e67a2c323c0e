// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.CacheStats;
import io.nvcache.ReferenceBlockCache;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentStatsTest {
  @Test
  void shouldTakeASnapshotAnewOnceItIsOld() {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 50); // a clock may wrap around
    RecentStats recent = new RecentStats(now::get, Duration.ofNanos(100));
    try (ReferenceBlockCache cache = new ReferenceBlockCache()) {
      CacheStats first = recent.of(cache);
      cache.get(1, 0, ByteBuffer.allocate(8));

      now.addAndGet(99);
      assertThat(recent.of(cache)).isSameAs(first);
      now.addAndGet(1);
      assertThat(recent.of(cache).lookups()).isEqualTo(1);
    }
  }
}
