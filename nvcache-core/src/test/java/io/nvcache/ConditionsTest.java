// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheEvent;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.Condition;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cache tells of its state: once when something begins, once when it ends. */
final class ConditionsTest {
  private static final int LENGTH = 4096;
  private static final String FIRST_REFUSALS = "offers refused: bypassed_overhead 3";
  private static final String SMALL =
      "offers refused: bypassed_small 2; data set 300 MiB x 0.5 fits in 1 TiB of DRAM: nothing is"
          + " cached; set host.small=0 (over JMX: SmallBypassDramBytes=0) to cache anyway";

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final List<CacheEvent> events = new ArrayList<>();
  private long now;
  private long offset;
  private final BlockCache cache =
      BlockCache.builder()
          .medium(medium)
          .maxBlockBytes(LENGTH)
          .expectedBlockBytes(LENGTH)
          .admission(AdmissionPresets.paper())
          .settingNames(Map.of("smallBypassDramBytes", "host.small", "unknown", "x"))
          .testing(TestHook.nanoTime(() -> now))
          .maintainedByCaller()
          .build();

  @BeforeEach
  void listen() {
    cache.control().addListener(events::add);
    cache.get(1, 0, ByteBuffer.allocate(LENGTH));
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult offer() {
    offset += LENGTH;
    return cache.offer(1, offset, ByteBuffer.allocate(LENGTH), Source.READ);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += Duration.ofSeconds(1).toNanos();
      cache.control().maintain();
    }
  }

  @Test
  void shouldTellWhenBypassingBeginsAndWhyAndWhenItEnds() {
    cache.control().settings().setOverheadTarget(0);
    assertThat(offer()).isEqualTo(OfferResult.ADMITTED); // The first costs 100 % only afterwards.
    pass(1);
    for (int second = 0; second < 2; second++) {
      assertThat(offer()).isEqualTo(OfferResult.BYPASSED_OVERHEAD);
      pass(1);
    }
    pass(5); // Without offers nothing is refused.
    assertThat(cache.control().conditions()).isEmpty();
    offer();
    pass(1);

    assertThat(events).hasSize(1);
    assertThat(events.get(0).condition()).isEqualTo(Condition.BYPASSING);
    assertThat(events.get(0).begun()).isTrue();
    assertThat(events.get(0).reason()).contains("bypassed_overhead 3");
    assertThat(cache.control().conditions()).containsOnlyKeys(Condition.BYPASSING);

    offer();
    pass(1);
    cache.control().settings().setOverheadTarget(10);
    assertThat(offer()).isEqualTo(OfferResult.ADMITTED);
    pass(1);
    assertThat(events).hasSize(2);
    assertThat(events.get(1).begun()).isFalse();
    assertThat(cache.control().conditions()).isEmpty();
  }

  @Test
  void shouldReportAnOutageThatEndsBeforeTheNextLook() {
    pass(1);
    cache.control().takeOutOfService("a cable is pulled");
    cache.control().returnToService();
    pass(1);
    assertThat(events).extracting(CacheEvent::reason).containsExactly("a cable is pulled");
    assertThat(cache.control().conditions()).containsOnlyKeys(Condition.OUT_OF_SERVICE);

    pass(1);
    assertThat(events).extracting(CacheEvent::begun).containsExactly(true, false);
    assertThat(cache.control().conditions()).isEmpty();
  }

  @Test
  void shouldShowTheReasonsOfNowAndTellNothingOfThem() {
    cache.control().settings().setOverheadTarget(0);
    offer();
    pass(1);
    for (int second = 0; second < 3; second++) {
      offer();
      pass(1);
    }
    cache.control().dataSet().register(1, 300 << 20);
    cache.control().settings().setSmallBypassDramBytes(1L << 40);
    offer();
    offer();
    pass(1);

    assertThat(cache.control().conditions()).containsEntry(Condition.BYPASSING, SMALL);
    assertThat(cache.control().health().reason()).isEqualTo(SMALL);
    pass(5); // Without offers there is no other reason.
    assertThat(cache.control().conditions()).containsEntry(Condition.BYPASSING, SMALL);
    assertThat(events).extracting(CacheEvent::reason).containsExactly(FIRST_REFUSALS);
  }

  @Test
  void shouldBeBypassingUntilABlockIsAdmitted() {
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
    cache.control().settings().setOverheadTarget(10);
    cache.control().dataSet().register(1, 1);
    cache.control().settings().setSmallBypassDramBytes(1);
    for (int second = 0; second < 3; second++) {
      assertThat(offer()).isEqualTo(OfferResult.BYPASSED_SMALL);
      pass(1);
    }
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.BYPASSING);
    assertThat(cache.control().health().inService()).isTrue();

    cache.control().takeOutOfService("a disk is replaced");
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.OUT_OF_SERVICE);
    assertThat(cache.control().health().reason()).isEqualTo("a disk is replaced");
    cache.control().returnToService();

    cache.control().settings().setSmallBypassDramBytes(0);
    offer();
    pass(1);
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
    assertThat(cache.control().health().reason()).isEmpty();
  }

  @Test
  void shouldNameTheSettingThatKeepsLongBlocksOut() {
    for (int second = 0; second < 3; second++) {
      cache.offer(1, 0, ByteBuffer.allocate(LENGTH + 1), Source.READ);
      pass(1);
    }
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.BYPASSING);
    assertThat(cache.control().health().reason())
        .isEqualTo(
            "offers refused: too_large 3; blocks are longer than 4 KiB; raise maxBlockBytes to the"
                + " longest block");
  }

  @Test
  void shouldSayThatTheMediumIsTooSmallForLongerBlocks() {
    try (BlockCache small =
        BlockCache.builder()
            .nativeMemory(4 << 20)
            .settingNames(Map.of("maxBlockBytes", "host.longest", "capacityBytes", "host.capacity"))
            .testing(TestHook.nanoTime(() -> now))
            .maintainedByCaller()
            .build()) {
      for (int second = 0; second < 4; second++) {
        small.offer(1, 0, ByteBuffer.allocate((64 << 10) + 1), Source.READ);
        now += Duration.ofSeconds(1).toNanos();
        small.control().maintain();
      }
      assertThat(small.control().health().reason())
          .endsWith(
              "blocks are longer than 64 KiB; raise host.longest to the longest block, and"
                  + " host.capacity, now 4 MiB, to 64 times that");
    }
  }

  /** A warm cache refuses what is worth less than what it has, and is as it should be. */
  @Test
  void shouldServeWhileNothingBetterIsOffered() {
    try (BlockCache choosy =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(LENGTH)
            .admission(context -> candidate -> AdmissionDecision.NOT_WORTH_IT)
            .testing(TestHook.nanoTime(() -> now))
            .maintainedByCaller()
            .build()) {
      for (int second = 0; second < 3; second++) {
        choosy.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
        now += Duration.ofSeconds(1).toNanos();
        choosy.control().maintain();
      }
      assertThat(choosy.control().conditions())
          .containsEntry(Condition.BYPASSING, "offers refused: not_worth_it 3");
      assertThat(choosy.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
    }
  }

  @Test
  void shouldServeAgainOnceTheMediumIsBack() {
    cache.control().takeOutOfService("a disk is replaced");
    for (int second = 0; second < 5; second++) {
      assertThat(offer()).isEqualTo(OfferResult.OUT_OF_SERVICE);
      pass(1);
    }
    assertThat(cache.control().conditions()).containsOnlyKeys(Condition.OUT_OF_SERVICE);

    cache.control().returnToService();
    pass(1);
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
  }

  @Test
  void shouldShowWhyTheCacheIsOutOfServiceNow() {
    cache.control().takeOutOfService("a disk is replaced");
    pass(1);
    cache.control().takeOutOfService("the machine is moved");
    pass(1);

    assertThat(cache.control().conditions())
        .containsEntry(Condition.OUT_OF_SERVICE, "the machine is moved");
    assertThat(events).extracting(CacheEvent::reason).containsExactly("a disk is replaced");
  }

  @Test
  void shouldTellThatTheMediumFailsAndThatItRecovered() {
    cache.control().settings().setOverheadTarget(10);
    offer();
    medium.failReads = true;
    for (int i = 0; i < 5; i++) {
      cache.get(1, offset, ByteBuffer.allocate(LENGTH));
      pass(1);
    }
    assertThat(cache.control().conditions()).containsOnlyKeys(Condition.MEDIUM_FAILING);
    pass(9);
    assertThat(events).hasSize(1);
    pass(1);
    assertThat(events).extracting(CacheEvent::begun).containsExactly(true, false);
    assertThat(cache.control().conditions()).isEmpty();
  }

  @Test
  void shouldTellThatPinsAndWritesAreLimited() {
    medium.showAddresses = true;
    cache.control().settings().setOverheadTarget(10);
    offer();
    cache.control().settings().setMaxPinnedBytes(0);
    assertThat(cache.pin(1, offset)).isNull();
    cache.control().settings().setWriteLimitBytesPerSecond(LENGTH);
    assertThat(offer()).isEqualTo(OfferResult.ADMITTED);
    assertThat(offer()).isEqualTo(OfferResult.BYPASSED_WRITE_LIMIT);
    pass(1);

    assertThat(cache.control().conditions())
        .containsOnlyKeys(Condition.PINS_EXHAUSTED, Condition.WRITE_LIMITED);
    cache.control().settings().setMaxPinnedBytes(LENGTH * 8);
    try (PinnedBlock pin = cache.pin(1, offset - 2L * LENGTH)) {
      assertThat(pin).as("a pin under the raised bound").isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class, LinkageError.class})
  void shouldGoOnWhenAListenerThrows(Class<? extends Throwable> type) {
    List<CacheEvent> later = new ArrayList<>();
    cache.control().addListener(event -> ConditionsTest.<Error>sneak(type));
    cache.control().addListener(later::add);
    medium.failReads = true;
    cache.control().settings().setOverheadTarget(10);
    offer();
    cache.get(1, offset, ByteBuffer.allocate(LENGTH));
    pass(1);

    assertThat(later).hasSize(1);
    assertThat(cache.control().health().secondsSinceMaintenance()).as("the round went on").isZero();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Class<? extends Throwable> type) throws E {
    try {
      throw (E) type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldLetAListenerCallAllOfTheCache() {
    cache.control().settings().setOverheadTarget(10);
    List<OfferResult> offers = new ArrayList<>();
    cache
        .control()
        .addListener(
            event -> {
              cache.control().settings().setOverheadTarget(9);
              cache.control().returnToService();
              offers.add(offer());
              cache.get(1, offset, ByteBuffer.allocate(LENGTH));
              cache.control().maintain();
              cache.invalidate(1, offset);
              cache.invalidateFile(2);
              cache.control().addListener(later -> {});
              assertThat(cache.control().walk().next()).isFalse();
            });
    cache.control().takeOutOfService("to have something to tell");
    pass(1);
    assertThat(offers).containsExactly(OfferResult.ADMITTED);
    assertThat(cache.stats().invalidations()).isEqualTo(1);
    assertThat(cache.control().health().secondsSinceMaintenance()).isZero();
  }

  @Test
  void shouldTellThatTheBackgroundWorkWasNotDone() {
    pass(1);
    now += Duration.ofSeconds(30).toNanos();
    assertThat(cache.control().conditions()).isEmpty();
    assertThat(cache.control().health().secondsSinceMaintenance()).isEqualTo(30);
    now += Duration.ofSeconds(5).toNanos();
    assertThat(cache.control().conditions()).containsOnlyKeys(Condition.BACKGROUND_FAILING);
    assertThat(cache.control().conditions().get(Condition.BACKGROUND_FAILING))
        .contains("for 35 s", "the cache's owner is to call maintain");
    assertThat(events).as("there is no round to tell it").isEmpty();

    pass(1);
    assertThat(cache.control().conditions()).as("until the next look").isNotEmpty();
    pass(1);
    assertThat(cache.control().conditions()).isEmpty();
    assertThat(cache.control().health().secondsSinceMaintenance()).isZero();
    assertThat(events).extracting(CacheEvent::begun).containsExactly(true, false);
    assertThat(events).extracting(CacheEvent::condition).containsOnly(Condition.BACKGROUND_FAILING);
  }

  @Test
  void shouldRefuseNoListenerAndNoCompanion() {
    assertThatThrownBy(() -> cache.control().addListener(null)).hasMessage("listener");
    assertThatThrownBy(() -> cache.control().settings().addListener(null)).hasMessage("listener");
    assertThatThrownBy(() -> cache.control().addCompanion(null)).hasMessage("companion");
  }
}
