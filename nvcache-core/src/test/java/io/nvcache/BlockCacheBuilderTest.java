// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.TuningBounds;
import io.nvcache.jmx.CapturedLog;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.memory.SystemMemory;
import io.nvcache.tiered.TieredBlockCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BlockCacheBuilderTest {
  private static final Duration FOREVER = Duration.ofHours(Long.MAX_VALUE / 3600);
  private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);

  @TempDir Path directory;

  static Stream<Arguments> badValues() {
    return Stream.of(
        bad("capacityBytes is 0", b -> b.nativeMemory(0)),
        bad("capacityBytes is -1", b -> b.nativeMemory(-1)),
        bad("capacityBytes is 0", b -> b.mappedFile(Path.of("f"), 0)),
        bad("overheadTarget is -0.1", b -> b.overheadTarget(-0.1)),
        bad("overheadTarget is 10.1", b -> b.overheadTarget(10.1)),
        bad("overheadTarget is NaN", b -> b.overheadTarget(Double.NaN)),
        bad("smallBypassDramBytes is -1", b -> b.smallBypassDramBytes(-1)),
        bad("smallBypassFraction is 0.0", b -> b.smallBypassFraction(0)),
        bad("smallBypassFraction is 1.5", b -> b.smallBypassFraction(1.5)),
        bad("evictionWindow is PT0.9S", b -> b.evictionWindow(Duration.ofMillis(900))),
        bad("evictionWindow is PT8784H", b -> b.evictionWindow(Duration.ofDays(366))),
        bad("evictionWindow is PT2562047788015215H", b -> b.evictionWindow(ENDLESS)),
        bad("evictionWindow is PT-", b -> b.evictionWindow(ENDLESS.negated())),
        bad("mediumBackOff is PT0.0009", b -> b.mediumBackOff(Duration.ofNanos(900_000))),
        bad("mediumBackOff is PT1H0.00", b -> b.mediumBackOff(Duration.ofHours(1).plusNanos(1))),
        bad("mediumBackOff is PT2562047788015215H", b -> b.mediumBackOff(ENDLESS)),
        bad("mediumBackOff is PT-", b -> b.mediumBackOff(ENDLESS.negated())),
        bad("mediumStuckAfter is PT0S", b -> b.mediumStuckAfter(Duration.ZERO)),
        bad("mediumStuckAfter is PT2562047788015215H", b -> b.mediumStuckAfter(ENDLESS)),
        bad("mediumStuckAfter is PT-", b -> b.mediumStuckAfter(ENDLESS.negated())),
        bad("missCost is PT2562047788015215H", b -> b.tuning(new TuningBounds(0.1, 1, ENDLESS))),
        bad("fullTarget is 0.0", b -> b.fullTarget(0)),
        bad("fullTarget is 1.01", b -> b.fullTarget(1.01)),
        bad("expectedBlockBytes is 63", b -> b.expectedBlockBytes(63)),
        bad("maxBlockBytes is 4095", b -> b.maxBlockBytes(4095)),
        bad("maxBlockBytes is 16777217", b -> b.maxBlockBytes((16 << 20) + 1)),
        bad("maxPinnedBytes is -1", b -> b.maxPinnedBytes(-1)),
        bad("mediumBackOff is PT0S", b -> b.mediumBackOff(Duration.ZERO)),
        bad("mediumBackOff is PT2562047788015215H", b -> b.mediumBackOff(FOREVER)),
        bad("mediumStuckAfter is PT1H0.001S", b -> b.mediumStuckAfter(Duration.ofMillis(3600001))));
  }

  private static Arguments bad(String message, Consumer<BlockCacheBuilder> option) {
    return Arguments.of(message, option);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badValues")
  void shouldNameTheBadValueAndItsRange(String message, Consumer<BlockCacheBuilder> option) {
    assertThatThrownBy(() -> option.accept(BlockCache.builder()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("must be between");
  }

  @Test
  void shouldRefuseShadowsWhereTheyAreSet() {
    BlockCacheBuilder builder = BlockCache.builder();
    assertThatThrownBy(() -> builder.shadows(0.1, "lru"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there are no policies named 'lru'; choose among default, paper");
    assertThatThrownBy(() -> builder.shadows(0.6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sampleRatio is 0.6");
    assertThatThrownBy(() -> builder.shadows(0.1, "live@20%", "live@20%"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'live@20%' is there twice");
    assertThatThrownBy(() -> builder.shadows(0.1, "live", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a candidate is missing");
    assertThatCode(() -> builder.shadows("live@20%", "paper*2")).doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseABlankNameWhereItIsSet() {
    assertThatThrownBy(() -> BlockCache.builder().registerMBean(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the name of the cache is ' ', which is blank");
  }

  @Test
  void shouldRefuseBlocksExpectedLongerThanTheLongest() {
    BlockCacheBuilder builder =
        BlockCache.builder().nativeMemory(8 << 20).expectedBlockBytes(1 << 20);
    assertThatThrownBy(() -> builder.maxBlockBytes(64 << 10).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "expectedBlockBytes is 1048576, more than maxBlockBytes, 65536; lower the first or"
                + " raise the second");
  }

  @Test
  void shouldExpectNoLongerBlocksThanTheLongestWhereNothingWasSet() {
    BlockCacheBuilder unset = BlockCache.builder().nativeMemory(8 << 20).maxBlockBytes(4096);
    BlockCacheBuilder set =
        BlockCache.builder().nativeMemory(8 << 20).maxBlockBytes(4096).expectedBlockBytes(4096);
    try (BlockCache one = unset.build();
        BlockCache other = set.build()) {
      assertThat(one.stats().metadataBytes()).isEqualTo(other.stats().metadataBytes());
    }
  }

  @Test
  void shouldAskAboutFlipWhereABufferIsDrained() {
    ByteBuffer drained = ByteBuffer.allocate(8).putLong(1);
    try (BlockCache cache = BlockCache.builder().nativeMemory(8 << 20).build()) {
      assertThatThrownBy(() -> cache.offer(3, 8, drained, Source.READ))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at offset 8 of file 3 is empty")
          .hasMessageContaining("did you forget flip()?");
    }
    try (TieredBlockCache cache = TieredBlockCache.builder(1, (f, o) -> drained).build()) {
      assertThatThrownBy(() -> cache.offer(3, 8, drained, Source.READ))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("did you forget flip()?");
      assertThatThrownBy(() -> cache.get(3, 8, Source.READ))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("did it forget flip()?");
    }
  }

  @Test
  void shouldSayThatItWasInterruptedOnItsWayIntoTheFile() {
    Path file = directory.resolve("interrupted");
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> BlockCache.builder().mappedFile(file, 8 << 20).build())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("interrupted while it opened the medium");
    } finally {
      assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
    }
    assertThat(file).doesNotExist();
    BlockCache.builder().mappedFile(file, 8 << 20).build().close();
  }

  @Test
  void shouldAskForAMedium() {
    assertThatThrownBy(() -> BlockCache.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no medium was given");
  }

  @Test
  void shouldRefuseACapacityBelowEightOfTheLongestBlocksAndCloseTheMedium() {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    assertThatThrownBy(() -> BlockCache.builder().medium(medium).maxBlockBytes(256 << 10).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity is " + (1 << 20))
        .hasMessageContaining("up to " + (256 << 10) + " bytes need at least " + (2 << 20))
        .hasMessageContaining("lower maxBlockBytes, best to " + (16 << 10));
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  @Test
  void shouldCheckSizesBeforeItFillsAFile() {
    Path file = directory.resolve("f");
    assertThatThrownBy(() -> BlockCache.builder().mappedFile(file, 4096).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("need at least");
    assertThat(file).doesNotExist();
    assertThatThrownBy(() -> BlockCache.builder().nativeMemory(Long.MAX_VALUE).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity is " + Long.MAX_VALUE);
  }

  /** More than the address space of a process: no system gives it, however it counts its memory. */
  @Test
  void shouldSayThatTheMemoryCannotBeHadAndWhichSettingToLower() {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .nativeMemory(200L << 40)
            .maxBlockBytes(16 << 20)
            .expectedBlockBytes(16 << 20);
    String refusal =
        "219902325559296 bytes of native memory were asked for and the system refused; the machine"
            + " has "
            + SystemMemory.totalBytes()
            + " in all; ask for less: lower ";
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(refusal + "capacityBytes");
    assertThatThrownBy(builder.settingNames(Map.of("capacityBytes", "host.capacity"))::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(refusal + "host.capacity");
  }

  /** Before a medium is opened, and with one that is. */
  @Test
  void shouldNameSizesAsTheOperatorDoes() {
    Map<String, String> names =
        Map.of("maxBlockBytes", "host.longest", "expectedBlockBytes", "host.mean");
    BlockCacheBuilder unlike =
        BlockCache.builder().nativeMemory(1 << 20).maxBlockBytes(4096).expectedBlockBytes(8192);
    assertThatThrownBy(unlike.settingNames(names)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "host.mean is 8192, more than host.longest, 4096; lower the first or raise the second");
    try (Medium small = NativeMedium.allocate(16 << 10)) {
      BlockCacheBuilder builder = BlockCache.builder().medium(small).maxBlockBytes(4096);
      assertThatThrownBy(builder.settingNames(names)::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("or lower host.longest, best to ");
    }
  }

  @Test
  void shouldSayWhyTheMappedFileCannotBeHad() {
    Path file = directory.resolve("nowhere/f");
    assertThatThrownBy(() -> BlockCache.builder().mappedFile(file, 8 << 20).build())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("its directory does not exist");
  }

  @Test
  void shouldBuildWithDefaultsThatCanBeReadBack() {
    try (BlockCache cache = BlockCache.builder().nativeMemory(8 << 20).build()) {
      LiveSettings settings = cache.control().settings();
      assertThat(settings.overheadTarget()).isEqualTo(0.10);
      assertThat(settings.smallBypassFraction()).isEqualTo(0.50);
      assertThat(settings.evictionWindow()).isEqualTo(Duration.ofMinutes(30));
      assertThat(settings.fullTarget()).isEqualTo(0.95);
      assertThat(settings.smallBypassDramBytes()).as("off").isZero();
      assertThat(cache.stats().capacityBytes()).isEqualTo(8 << 20);
    }
  }

  @Test
  void shouldRefuseALiveChangeOutOfRangeAndKeepTheOldValue() {
    try (BlockCache cache = BlockCache.builder().nativeMemory(8 << 20).build()) {
      assertThatThrownBy(() -> cache.control().settings().setOverheadTarget(11))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("overheadTarget is 11.0")
          .hasMessageContaining("stays as it was");
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.10);
      cache.control().settings().setOverheadTarget(0.25);
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.25);
    }
  }

  @Test
  void shouldOpenAndCloseManyTimes() {
    for (int i = 0; i < 2000; i++) {
      BlockCache cache = BlockCache.builder().nativeMemory(64 << 20).build();
      assertThatCode(cache::close).doesNotThrowAnyException();
    }
  }

  @Test
  void shouldWarnOfATargetThatWasMeantInPercent() throws Exception {
    String log =
        CapturedLog.of(
            () -> {
              try (BlockCache cache =
                  BlockCache.builder().nativeMemory(8 << 20).overheadTarget(10).build()) {
                cache.control().settings().setOverheadTarget(1);
              }
            });

    assertThat(log)
        .containsOnlyOnce("overheadTarget is 10.0, which is 1000 %")
        .contains("If 10.0 % was meant, set 0.1");
  }

  @Test
  void shouldSayTheLengthsWhereABufferDoesNotFit() {
    try (BlockCache cache =
        BlockCache.builder().nativeMemory(8 << 20).admission(AdmissionPresets.admitAll()).build()) {
      assertThat(cache.offer(1, 0, ByteBuffer.allocate(100), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
      ByteBuffer small = ByteBuffer.allocate(99);
      ByteBuffer fixed = ByteBuffer.allocate(100).asReadOnlyBuffer();

      assertThatThrownBy(() -> cache.get(1, 0, small))
          .isInstanceOf(BufferOverflowException.class)
          .hasMessageContaining("the block has 100 bytes, and the buffer has room for 99");
      assertThatThrownBy(() -> cache.get(1, 0, fixed))
          .isInstanceOf(ReadOnlyBufferException.class)
          .hasMessageContaining("the buffer is read-only");
      try (PinnedBlock pin = cache.pin(1, 0)) {
        assertThatThrownBy(() -> pin.copyTo(small)).hasMessageContaining("100 bytes");
        assertThatThrownBy(() -> pin.copyTo(fixed)).hasMessageContaining("read-only");
      }
    }
  }
}
