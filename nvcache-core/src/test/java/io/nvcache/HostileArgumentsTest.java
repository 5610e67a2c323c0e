// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * What callers hand in, and what they leave out: it costs them an answer, and the cache nothing.
 */
final class HostileArgumentsTest {
  private static final int LENGTH = 4096;
  private static final int MANY = 40;

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .admission(AdmissionPresets.admitAll())
        .eviction(FifoEviction::new)
        .maintainedByCaller();
  }

  private static ByteBuffer block() {
    return TestBlock.of(1, 0, LENGTH);
  }

  /** A medium that throws one thing at each read and each write, if it is armed. */
  private static final class Throwing extends FaultyMedium {
    volatile Error error;

    Throwing() {
      super(NativeMedium.allocate(1 << 20));
    }

    @Override
    public void read(long offset, ByteBuffer dst, int length) throws IOException {
      if (error != null) {
        throw error;
      }
      super.read(offset, dst, length);
    }

    @Override
    public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
      if (error != null) {
        throw error;
      }
      super.write(offset, src, srcPosition, length);
    }

    @Override
    public void check() throws IOException {
      if (error != null) {
        throw error;
      }
    }
  }

  @Test
  void shouldTakeAnErrorOfTheMediumForAFailure() {
    Throwing medium = new Throwing();
    try (BlockCache cache = builder().medium(medium).build()) {
      cache.offer(1, 0, block(), Source.READ);
      medium.error = new AssertionError("a bug of the medium's");

      assertThat(cache.get(1, 0, ByteBuffer.allocate(LENGTH))).isEqualTo(BlockCache.MISS);
      assertThat(cache.offer(1, 1, block(), Source.READ)).isEqualTo(OfferResult.MEDIUM_FAILED);
      assertThat(cache.stats().mediumFailures()).isEqualTo(2);

      medium.error = null;
      assertThat(cache.get(1, 0, ByteBuffer.allocate(LENGTH))).isEqualTo(LENGTH);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  @Test
  void shouldHoldNoLackOfMemoryOrStackAgainstTheMedium() {
    Throwing medium = new Throwing();
    try (BlockCache cache = builder().medium(medium).build()) {
      cache.offer(1, 0, block(), Source.READ);
      medium.error = new StackOverflowError();

      assertThatThrownBy(() -> cache.get(1, 0, ByteBuffer.allocate(LENGTH)))
          .isInstanceOf(StackOverflowError.class);
      assertThatThrownBy(() -> cache.offer(1, 1, block(), Source.READ))
          .isInstanceOf(StackOverflowError.class);

      medium.error = null;
      assertThat(cache.stats().mediumFailures()).isZero();
      assertThat(cache.offer(1, 1, block(), Source.READ)).isEqualTo(OfferResult.ADMITTED);
    }
  }

  @Test
  void shouldReleaseSpaceThoughItCanNotBePoisoned() {
    Throwing medium = new Throwing();
    try (BlockCache cache =
        builder().medium(medium).testing(TestHook.debug(DebugCheck.POISON_FREED)).build()) {
      cache.offer(1, 0, block(), Source.READ);
      medium.error = new AssertionError("a bug of the medium's");

      assertThat(cache.invalidate(1, 0)).isTrue();

      assertThat(cache.stats().usedBytes()).isZero();
    }
  }

  @Test
  void shouldGoOutOfServiceWhenTheCheckOfTheMediumThrowsAnError() {
    Throwing medium = new Throwing();
    long[] now = {0};
    try (BlockCache cache =
        builder().medium(medium).testing(TestHook.nanoTime(() -> now[0])).build()) {
      medium.error = new AssertionError("a bug of the medium's");
      now[0] = 1_000_000_000L;

      cache.control().maintain();

      assertThat(cache.control().health().inService()).isFalse();
      assertThat(cache.control().health().reason()).contains("a bug of the medium's");
    }
  }

  /** As if another thread had moved it between the look at its room and the read. */
  @Test
  void shouldBlameNoMediumForABufferThatMoves() {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    FaultyMedium medium =
        new FaultyMedium(NativeMedium.allocate(1 << 20)) {
          @Override
          public void read(long offset, ByteBuffer into, int length) throws IOException {
            dst.position(dst.limit());
            super.read(offset, into, length);
          }
        };
    try (BlockCache cache = builder().medium(medium).build()) {
      cache.offer(1, 0, block(), Source.READ);
      for (int i = 0; i < MANY; i++) {
        dst.clear();
        assertThatThrownBy(() -> cache.get(1, 0, dst)).isInstanceOf(IllegalArgumentException.class);
      }

      assertThat(cache.stats().mediumFailures()).isZero();
      assertThat(cache.control().health().inService()).isTrue();
    }
  }

  /** Refused before the block is cached and its offer can't be counted. */
  @Test
  void shouldTakeNoBlockWithoutASource() {
    try (BlockCache cache = builder().nativeMemory(1 << 20).build()) {
      assertThatNullPointerException().isThrownBy(() -> cache.offer(1, 0, block(), null));
      assertThatNullPointerException()
          .isThrownBy(() -> cache.offer(1, 0, LENGTH, HostileArgumentsTest::block, null));

      assertThat(cache.get(1, 0, ByteBuffer.allocate(LENGTH))).isEqualTo(BlockCache.MISS);
      assertThat(cache.stats().blocks()).isZero();
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  /** Refused at once: found later, it would keep the cache from being closed. */
  @Test
  void shouldTakeNoCompanionOrListenerThatIsNull() {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    BlockCache cache = builder().medium(medium).build();
    assertThatNullPointerException().isThrownBy(() -> cache.control().addCompanion(null));
    assertThatNullPointerException().isThrownBy(() -> cache.control().addListener(null));
    assertThatNullPointerException().isThrownBy(() -> cache.control().settings().addListener(null));

    cache.close();

    assertThat(medium.closed).hasValue(1);
  }

  @Test
  void shouldCloseAMediumThatCanNeitherRetireNorSayWhatItIs() {
    boolean[] armed = {false};
    FaultyMedium medium =
        new FaultyMedium(NativeMedium.allocate(1 << 20)) {
          @Override
          public String describe() {
            if (armed[0]) {
              throw new IllegalStateException("describe");
            }
            return super.describe();
          }

          @Override
          public void retire() {
            throw new IllegalStateException() {
              private static final long serialVersionUID = 1L;

              @Override
              public String getMessage() {
                throw new IllegalStateException("message");
              }
            };
          }
        };
    BlockCache cache = builder().medium(medium).build();
    armed[0] = true;

    cache.close();

    assertThat(medium.closed).hasValue(1);
  }
}
