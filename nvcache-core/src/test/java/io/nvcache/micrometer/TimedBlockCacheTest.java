// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.BlockRank;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.ReusablePin;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimedBlockCacheTest {
  private static final int LENGTH = 4096;

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final BlockCache slow = new Slow();

  /** Each call takes a microsecond, and a pin two. */
  private final class Slow extends ForwardingBlockCache {
    Slow() {
      super(
          BlockCache.builder()
              .nativeMemory(4 << 20)
              .admission(AdmissionPresets.admitAll())
              .maintainedByCaller()
              .build());
    }

    @Override
    public int get(long fileId, long offset, ByteBuffer dst) {
      clock.add(1, TimeUnit.MICROSECONDS);
      return super.get(fileId, offset, dst);
    }

    @Override
    public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
      clock.add(1, TimeUnit.MICROSECONDS);
      return super.getRange(fileId, offset, from, dst);
    }

    @Override
    public PinnedBlock pin(long fileId, long offset) {
      clock.add(2, TimeUnit.MICROSECONDS);
      return super.pin(fileId, offset);
    }

    @Override
    public PinnedBlock pinOrCopy(long fileId, long offset) {
      clock.add(2, TimeUnit.MICROSECONDS);
      return super.pinOrCopy(fileId, offset);
    }

    @Override
    public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
      clock.add(5, TimeUnit.MICROSECONDS);
      return super.offer(fileId, offset, block, source);
    }
  }

  @AfterEach
  void close() {
    slow.close();
  }

  private Timer timer(String name, String result) {
    return registry.get(name).tag("cache", "l2").tag("result", result).timer();
  }

  @Test
  void shouldMeasureEachKindOfCallByItsResult() {
    BlockCache cache = new TimedBlockCache(slow, registry, "l2", 1);
    ByteBuffer buffer = ByteBuffer.allocate(LENGTH);

    assertThat(cache.get(1, 0, buffer)).isEqualTo(BlockCache.MISS);
    assertThat(cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ))
        .isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.offer(1, 0, LENGTH, () -> ByteBuffer.allocate(LENGTH), Source.READ))
        .isEqualTo(OfferResult.ALREADY_CACHED);
    assertThat(
            cache.offer(
                1, 0, LENGTH, () -> ByteBuffer.allocate(LENGTH), Source.READ, BlockRank.IMPORTANT))
        .isEqualTo(OfferResult.ALREADY_CACHED);
    assertThat(cache.get(1, 0, buffer)).isEqualTo(LENGTH);
    assertThat(cache.getRange(1, 0, 8, buffer.clear())).isEqualTo(LENGTH - 8);
    cache.pin(1, 0).close();
    cache.pinOrCopy(1, 0).close();
    ReusablePin pin = cache.reusablePin();
    assertThat(pin.moveTo(1, 0)).isEqualTo(LENGTH);
    assertThat(pin.copyRange(8, buffer.clear())).isEqualTo(LENGTH - 8);
    pin.unpin();

    assertThat(timer("nvcache.lookup.time", "miss").totalTime(TimeUnit.MICROSECONDS)).isEqualTo(1);
    assertThat(timer("nvcache.lookup.time", "hit").count()).isEqualTo(5);
    assertThat(timer("nvcache.lookup.time", "hit").totalTime(TimeUnit.MICROSECONDS)).isEqualTo(6);
    assertThat(timer("nvcache.offer.time", "admitted").totalTime(TimeUnit.MICROSECONDS))
        .isEqualTo(5);
    assertThat(timer("nvcache.offer.time", "refused").count()).isEqualTo(2);
    assertThat(timer("nvcache.lookup.time", "hit").takeSnapshot().percentileValues()).hasSize(3);
  }

  /** 20,000 draws of one in 16: 1,250, of which 35 are one standard deviation. */
  @Test
  void shouldMeasureOneCallInSoMany() {
    BlockCache cache = new TimedBlockCache(slow, registry, "l2", 16);
    ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
    for (int i = 0; i < 20_000; i++) {
      cache.get(1, 0, buffer);
    }
    assertThat(timer("nvcache.lookup.time", "miss").count()).isBetween(1_000L, 1_500L);
    assertThat(cache.stats().lookups()).isEqualTo(20_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, Integer.MIN_VALUE, 1 << 21})
  void shouldRefuseARateThatIsNoPowerOfTwo(int sampleEvery) {
    assertThatThrownBy(() -> new TimedBlockCache(slow, registry, "l2", sampleEvery))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sampleEvery is " + sampleEvery + "; it must be a power of two between 1 and 1048576");
  }
}
