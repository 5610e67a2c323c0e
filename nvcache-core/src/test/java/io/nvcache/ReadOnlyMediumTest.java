// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.Condition;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.ReadOnlyMediumException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A medium whose file system became read-only under a cache. */
final class ReadOnlyMediumTest {
  private static final int BLOCK = 4096;
  private static final String WHY = "f can't be written";

  private final AtomicLong nanos = new AtomicLong();

  private static final class Remounted extends FaultyMedium {
    volatile boolean readOnly;

    Remounted() {
      super(NativeMedium.allocate(8 << 20));
    }

    @Override
    public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
      requireWritable();
      super.write(offset, src, srcPosition, length);
    }

    @Override
    public void check() throws IOException {
      requireWritable();
    }

    private void requireWritable() throws IOException {
      if (readOnly) {
        throw new ReadOnlyMediumException(WHY, new IOException("Read-only file system"));
      }
    }
  }

  private OfferResult offer(BlockCache cache, int block) {
    return cache.offer(1, (long) block * BLOCK, ByteBuffer.allocate(BLOCK), Source.READ);
  }

  private void pass(BlockCache cache, int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(1_000_000_000L);
      cache.control().maintain();
    }
  }

  @ParameterizedTest
  @EnumSource(BlockPlacement.class)
  void shouldBeReadOnAndWrittenNoMoreUntilItCanBe(BlockPlacement placement) {
    Remounted medium = new Remounted();
    try (BlockCache cache =
        BlockCache.builder()
            .medium(medium)
            .placement(placement)
            .expectedBlockBytes(BLOCK)
            .maxBlockBytes(BLOCK)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .testing(TestHook.nanoTime(nanos::get))
            .build()) {
      for (int i = 0; i < 500; i++) {
        assertThat(offer(cache, i)).isEqualTo(OfferResult.ADMITTED);
        pass(cache, 1);
      }
      medium.readOnly = true;
      for (int i = 0; i < 300; i++) {
        offer(cache, 1000 + i); // In regions they wait in memory until a piece is complete.
      }
      pass(cache, 30);

      long written = medium.writes.get();
      for (int i = 0; i < 100; i++) {
        assertThat(offer(cache, 2000 + i)).isEqualTo(OfferResult.MEDIUM_FAILED);
        assertThat(cache.get(1, (long) i * BLOCK, ByteBuffer.allocate(BLOCK))).isEqualTo(BLOCK);
        pass(cache, 1);
        assertThat(cache.control().conditions()).isEqualTo(Map.of(Condition.MEDIUM_FAILING, WHY));
      }
      CacheHealth health = cache.control().health();
      assertThat(health.state()).isEqualTo(CacheHealth.State.BYPASSING);
      assertThat(health.reason()).isEqualTo(WHY);
      assertThat(health.outages()).isZero();
      assertThat(medium.writes.get()).isEqualTo(written);
      assertThat(cache.control().ledger().contradictions()).isEmpty();

      medium.readOnly = false;
      pass(cache, 20);
      assertThat(offer(cache, 3000)).isEqualTo(OfferResult.ADMITTED);
      assertThat(cache.control().conditions()).isEmpty();
      assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
    }
  }
}
