// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import static io.nvcache.tiered.FakeFiles.BLOCK;
import static io.nvcache.tiered.FakeFiles.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TieredBlockCacheTest {
  private static final long FILE = 3;
  private static final long MIB = 1 << 20;

  private final FakeFiles files = new FakeFiles();
  private final ReferenceBlockCache second = new ReferenceBlockCache();

  private TieredBlockCacheBuilder tiered() {
    return TieredBlockCache.builder(MIB, files).executor(Runnable::run);
  }

  private boolean secondHas(long fileId, long offset) {
    return second.get(fileId, offset, ByteBuffer.allocate(BLOCK)) != BlockCache.MISS;
  }

  @Test
  void shouldLoadOnceThenServeFromDram() throws IOException {
    try (TieredBlockCache cache = tiered().secondTier(second).build()) {
      assertThat(cache.get(FILE, 0, BLOCK, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(cache.get(FILE, 0, BLOCK, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));

      TieredStats stats = cache.stats();
      assertThat(files.loads).hasValue(1);
      assertThat(stats.dramHits()).isEqualTo(2);
      assertThat(stats.dramMisses()).isEqualTo(1);
      assertThat(stats.loads()).isEqualTo(1);
      assertThat(stats.loadedBytes()).isEqualTo(BLOCK);
      assertThat(stats.dramHitRatio()).isEqualTo(2.0 / 3);
      assertThat(stats.loadRatio()).isEqualTo(1.0 / 3);
      assertThat(stats.secondTier().lookups()).isEqualTo(1);
      assertThat(stats.secondTier().offers(OfferResult.ADMITTED)).isEqualTo(1);
    }
  }

  @Test
  void shouldRunWithoutASecondTier() throws IOException {
    try (TieredBlockCache cache = tiered().build()) {
      assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(cache.offer(FILE, BLOCK, block(FILE, BLOCK, 0), Source.FLUSH))
          .isEqualTo(OfferResult.CLOSED);
      assertThat(cache.invalidate(FILE, 0)).isTrue();
      assertThat(cache.invalidate(FILE, 0)).isFalse();
      cache.invalidateFile(FILE);
      assertThat(cache.stats().secondTier()).isNull();
    }
  }

  @Test
  void shouldServeFromTheSecondTierWhateverLengthTheCallerTells() throws IOException {
    for (int toldLength : new int[] {0, 1, BLOCK - 1, BLOCK, BLOCK + 1}) {
      ReferenceBlockCache filled = new ReferenceBlockCache();
      filled.offer(FILE, 0, block(FILE, 0, 0), Source.READ);
      try (TieredBlockCache cache = tiered().secondTier(filled).build()) {
        ByteBuffer got =
            toldLength == 0
                ? cache.get(FILE, 0, Source.READ)
                : cache.get(FILE, 0, toldLength, Source.READ);

        assertThat(got).as("told %d", toldLength).isEqualTo(block(FILE, 0, 0));
        assertThat(files.loads).hasValue(0);
        assertThat(cache.stats().dramBytes())
            .as("no slack is kept")
            .isEqualTo(BLOCK + DramTier.HEAP_OVERHEAD_BYTES);
      }
    }
  }

  @Test
  void shouldGiveViewsThatNobodyCanWriteTo() throws IOException {
    try (TieredBlockCache cache = tiered().build()) {
      ByteBuffer first = cache.get(FILE, 0, Source.READ);
      first.position(100);

      assertThatThrownBy(() -> first.put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
      assertThat(cache.get(FILE, 0, Source.READ).position()).isZero();
    }
  }

  @Test
  void shouldKeepTheVeryRoomThatTheLoaderFilled() throws IOException {
    List<ByteBuffer> rooms = new ArrayList<>();
    BlockLoader intoRoom =
        new BlockLoader() {
          @Override
          public ByteBuffer load(long fileId, long offset) {
            throw new AssertionError("the length is known");
          }

          @Override
          public ByteBuffer load(long fileId, long offset, ByteBuffer room) {
            rooms.add(room);
            return room.put(block(fileId, offset, 0)).flip();
          }
        };
    for (DramValues kind : DramValues.values()) {
      rooms.clear();
      try (TieredBlockCache cache =
          TieredBlockCache.builder(MIB, intoRoom)
              .dramValues(kind)
              .secondTier(new ReferenceBlockCache())
              .build()) {
        ByteBuffer got = cache.get(FILE, 0, BLOCK, Source.READ);
        assertThat(got).isEqualTo(block(FILE, 0, 0));

        rooms.get(0).put(77, (byte) 42); // forbidden to loaders; shows that nothing was copied
        assertThat(got.get(77)).isEqualTo((byte) 42);
        assertThat(cache.get(FILE, 0, BLOCK, Source.READ).get(77)).isEqualTo((byte) 42);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(DramValues.class)
  void shouldKeepValuesOfTheConfiguredKindAndNothingOfAnotherBuffer(DramValues kind)
      throws IOException {
    ByteBuffer big = ByteBuffer.allocate(10 * BLOCK);
    big.position(BLOCK).put(block(FILE, 0, 0));
    BlockLoader slicing = (fileId, offset) -> big.slice(BLOCK, BLOCK);
    second.offer(FILE, BLOCK, block(FILE, BLOCK, 0), Source.READ);
    try (TieredBlockCache cache =
        TieredBlockCache.builder(MIB, slicing).dramValues(kind).secondTier(second).build()) {
      ByteBuffer loaded = cache.get(FILE, 0, Source.READ);
      big.put(BLOCK, (byte) ~big.get(BLOCK));

      assertThat(loaded).isEqualTo(block(FILE, 0, 0));
      assertThat(loaded.isDirect()).isEqualTo(kind == DramValues.DIRECT);
      assertThat(cache.get(FILE, BLOCK, Source.READ)).isEqualTo(block(FILE, BLOCK, 0));
      assertThat(cache.get(FILE, BLOCK, Source.READ).isDirect())
          .isEqualTo(kind == DramValues.DIRECT);
    }
  }

  @ParameterizedTest
  @EnumSource(Source.class)
  void shouldFillTheDramTierFromTheConfiguredSourcesOnly(Source source) throws IOException {
    List<Source> seen = new ArrayList<>();
    ReferenceBlockCache watching =
        new ReferenceBlockCache(
            MIB,
            MIB,
            candidate -> {
              seen.add(candidate.source());
              return AdmissionDecision.ADMIT;
            });
    try (TieredBlockCache cache =
        tiered()
            .secondTier(watching)
            .dramSources(EnumSet.of(Source.PREFETCH, Source.FLUSH))
            .build()) {
      cache.get(FILE, 0, source);
      cache.offer(FILE, BLOCK, block(FILE, BLOCK, 0), source);

      boolean fills = source == Source.PREFETCH || source == Source.FLUSH;
      assertThat(cache.stats().dramBlocks()).isEqualTo(fills ? 2 : 0);
      assertThat(seen).containsExactly(source, source);
    }
  }

  @Test
  void shouldNotPutWritesIntoDramUnlessTold() throws IOException {
    try (TieredBlockCache cache = tiered().secondTier(second).build()) {
      assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH))
          .isEqualTo(OfferResult.ADMITTED);
      cache.offer(FILE, BLOCK, block(FILE, BLOCK, 0), Source.COMPACTION);

      assertThat(cache.stats().dramBlocks()).isZero();
      assertThat(cache.get(FILE, 0, BLOCK, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(files.loads).hasValue(0);
    }
  }

  @Test
  void shouldTreatAClosedOrRefusingSecondTierAsAMiss() throws IOException {
    second.offer(FILE, 0, block(FILE, 0, 0), Source.READ);
    second.close();
    try (TieredBlockCache cache = tiered().secondTier(second).build()) {
      assertThat(cache.get(FILE, 0, BLOCK, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(cache.get(FILE, BLOCK, Source.READ)).isEqualTo(block(FILE, BLOCK, 0));
      assertThat(files.loads).hasValue(2);
    }
    ReferenceBlockCache noPins =
        new ReferenceBlockCache(MIB, 0, candidate -> AdmissionDecision.ADMIT);
    noPins.offer(FILE, 0, block(FILE, 0, 0), Source.READ);
    try (TieredBlockCache cache = tiered().secondTier(noPins).build()) {
      assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(files.loads).hasValue(3);
    }
  }

  @Test
  void shouldStayWithinTheDramBound() throws IOException {
    try (TieredBlockCache cache = tiered().build()) {
      for (int i = 0; i < 1000; i++) {
        cache.get(FILE, (long) i * BLOCK, BLOCK, Source.READ);
        assertThat(cache.stats().dramBytes()).isLessThanOrEqualTo(MIB);
      }
      TieredStats stats = cache.stats();
      long weight = BLOCK + DramTier.HEAP_OVERHEAD_BYTES;
      assertThat(stats.dramBlocks()).isEqualTo(MIB / weight);
      assertThat(stats.dramBytes()).isEqualTo(stats.dramBlocks() * weight);
      assertThat(stats.dramEvictions()).isEqualTo(1000 - stats.dramBlocks());
      assertThat(stats.dramEvictedBytes()).isEqualTo(stats.dramEvictions() * weight);
      assertThat(stats.dramMaxBytes()).isEqualTo(MIB);
    }
  }

  @Test
  void shouldHoldNothingInADramTierOfZeroBytes() throws IOException {
    try (TieredBlockCache cache =
        TieredBlockCache.builder(0, files).executor(Runnable::run).secondTier(second).build()) {
      cache.get(FILE, 0, Source.READ);
      cache.get(FILE, 0, Source.READ);

      assertThat(cache.stats().dramBytes()).isZero();
      assertThat(cache.stats().secondTier().hits()).isEqualTo(1);
      assertThat(files.loads).hasValue(1);
    }
  }

  @Test
  void shouldForgetABlockInBothTiers() throws IOException {
    try (TieredBlockCache cache = tiered().secondTier(second).build()) {
      cache.get(FILE, 0, Source.READ);
      files.rewrite(FILE, 0);

      assertThat(cache.invalidate(FILE, 0)).isTrue();

      assertThat(secondHas(FILE, 0)).isFalse();
      assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 1));
    }
  }

  @Test
  void shouldHideAFileAtOnceAndFreeItsDramInOneLaterPass() throws IOException {
    List<Runnable> later = new ArrayList<>();
    try (TieredBlockCache cache =
        TieredBlockCache.builder(MIB, files).secondTier(second).executor(later::add).build()) {
      for (long file = 1; file <= 3; file++) {
        cache.get(file, 0, Source.READ);
        cache.get(file, BLOCK, Source.READ);
        files.rewrite(file, 0);
      }
      later.clear(); // Caffeine's own upkeep

      cache.invalidateFile(1);
      cache.invalidateFile(2);

      assertThat(later).hasSize(1);
      assertThat(cache.get(1, 0, Source.READ)).isEqualTo(block(1, 0, 1));
      assertThat(cache.get(2, 0, Source.READ)).isEqualTo(block(2, 0, 1));
      assertThat(cache.get(3, 0, Source.READ)).isEqualTo(block(3, 0, 0));
      assertThat(cache.stats().dramBlocks()).isEqualTo(6); // two of them hidden
      later.get(0).run();
      assertThat(cache.stats().dramBlocks()).isEqualTo(4);
      assertThat(cache.get(1, 0, Source.READ)).isEqualTo(block(1, 0, 1));
      assertThat(files.loads).hasValue(8);
    }
  }

  @Test
  void shouldHideAFileWhenTheExecutorRefusesThePass() throws IOException {
    AtomicBoolean shutDown = new AtomicBoolean();
    Executor executor =
        task -> {
          if (shutDown.get()) {
            throw new RejectedExecutionException();
          }
          task.run();
        };
    try (TieredBlockCache cache = tiered().executor(executor).build()) {
      cache.get(FILE, 0, Source.READ);
      files.rewrite(FILE, 0);
      shutDown.set(true);
      cache.invalidateFile(FILE);
      shutDown.set(false);
      assertThat(cache.stats().dramBlocks()).isEqualTo(1);
      assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 1));
      cache.invalidateFile(FILE);
      assertThat(cache.stats().dramBlocks()).isZero();
    }
  }

  @Test
  void shouldGoToTheFilesAndKeepNothingOnceClosed() throws IOException {
    TieredBlockCache cache = tiered().secondTier(second).build();
    cache.get(FILE, 0, Source.READ);
    cache.close();
    cache.close();

    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));
    assertThat(files.loads).hasValue(3);
    assertThat(cache.stats().dramBlocks()).isZero();
    assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH)).isEqualTo(OfferResult.CLOSED);
    assertThat(cache.invalidate(FILE, 0)).isFalse();
    cache.invalidateFile(FILE);
  }

  @Test
  void shouldRefuseBadArguments() {
    try (TieredBlockCache cache = tiered().build()) {
      assertThatThrownBy(() -> cache.get(FILE, -1, Source.READ))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-1");
      assertThatThrownBy(() -> cache.get(FILE, 0, 0, Source.READ))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> cache.invalidate(FILE, -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> cache.offer(FILE, 0, ByteBuffer.allocate(0), Source.FLUSH))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> TieredBlockCache.builder(-1, files))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
