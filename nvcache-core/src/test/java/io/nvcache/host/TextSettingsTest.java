// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.PolicyPreset;
import io.nvcache.control.LiveSetting;
import io.nvcache.control.LiveSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words in which every host refuses a setting. */
final class TextSettingsTest {
  private final Map<String, String> given = new HashMap<>();
  private final TextSettings settings = new TextSettings(given::get, "the file");
  private final CacheSettings common = new CacheSettings(settings, "x.");

  private void assertRefused(ThrowingCallable read, String range) {
    String key = given.keySet().iterator().next();
    assertThatThrownBy(read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            key
                + " is '"
                + given.get(key).strip()
                + "'; it must be "
                + range
                + "; change or remove it in the file");
  }

  @ParameterizedTest
  @CsvSource({"4", "11", "five", "5.0", "9223372036854775808"})
  void shouldRefuseOtherThanAWholeNumberOfTheRange(String value) {
    given.put("k", value);
    assertRefused(() -> settings.integer("k", 7, 5, 10), "a whole number from 5 to 10");
  }

  /** A least value above 0 is named: two readers said "above 0" and "from 0" for it. */
  @ParameterizedTest
  @CsvSource({"0.009", "1.001", "NaN", "half"})
  void shouldNameALeastRatioAboveZero(String value) {
    given.put("k", value);
    assertRefused(() -> settings.ratio("k", 0.01, 1), "a number from 0.01 to 1");
    assertRefused(() -> settings.live("k", LiveSetting.FULL_TARGET), "a number from 0.01 to 1");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "1.5", "NaN"})
  void shouldNameARangeThatIsOpenBelow(String value) {
    given.put("k", value);
    assertRefused(
        () -> settings.live("k", LiveSetting.SMALL_BYPASS_FRACTION), "a number above 0, up to 1");
  }

  @Test
  void shouldNameTheRangesOfOtherLiveSettings() {
    given.put("k", "-1");
    assertRefused(() -> settings.live("k", LiveSetting.OVERHEAD_TARGET), "a number from 0 to 10");
    assertRefused(
        () -> settings.live("k", LiveSetting.EVICTION_WINDOW), "a whole number from 1 to 31536000");
    assertRefused(
        () -> settings.live("k", LiveSetting.MAX_PINNED_BYTES),
        "a whole number from 0 to 9223372036854775807");
  }

  @Test
  void shouldNameTheWords() {
    given.put("k", "maybe");
    assertRefused(() -> settings.isTrue("k"), "one of true, false");
    assertRefused(() -> settings.constant("k", Checksum.class), "one of none, crc32c");
    assertRefused(
        () -> settings.preset("k"),
        "one of default, paper, paper-20, paper-4, decaying, admit-all");
  }

  @ParameterizedTest
  @CsvSource({"''", "'  '"})
  void shouldTakeABlankForNotSet(String value) {
    given.put("k", value);
    assertThat(settings.isSet("k")).isFalse();
    assertThat(settings.text("k", "d")).isEqualTo("d");
    assertThat(settings.integer("k", 7, 5, 10)).isEqualTo(7);
    assertThat(settings.isTrue("k")).isTrue();
    assertThat(settings.preset("k")).isEqualTo(PolicyPreset.DEFAULT);
    assertThat(settings.names("k", Set.of("a"))).containsExactly("a");
    assertThatThrownBy(() -> settings.required("k", "set it")).hasMessage("k is not set; set it");
  }

  @Test
  void shouldReadWithoutTheBlanksAround() {
    given.put("k", " 8 ");
    assertThat(settings.integer("k", 7, 5, 10)).isEqualTo(8);
    assertThat(settings.live("k", LiveSetting.EVICTION_WINDOW)).isEqualTo(Duration.ofSeconds(8));
    given.put("k", " a, b;c  d ");
    assertThat(settings.names("k", Set.of())).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  private BlockCacheBuilder builder() {
    BlockCacheBuilder builder = BlockCache.builder().maxBlockBytes(4096).maintainedByCaller();
    assertThat(common.applyMedium(builder, 1 << 20, "the host")).isEqualTo("native");
    return builder;
  }

  @Test
  void shouldSetEachLiveSettingByItsKey() {
    given.put("x.overhead.target", "0.25");
    given.put("x.smallbypass.dram.bytes", "12345");
    given.put("x.smallbypass.fraction", "0.75");
    given.put("x.eviction.window.seconds", "77");
    given.put("x.full.target", "0.5");
    given.put("x.pinned.max.bytes", "4096");
    given.put("x.write.limit.second.bytes", "47");
    given.put("x.write.limit.day.bytes", "11");
    given.put("x.verified.reads", "0.5");
    given.put("x.drive.writes.per.day", "3"); // The limit in bytes wins.
    BlockCacheBuilder builder = builder();
    common.applyPolicies(builder, EnumSet.allOf(LiveSetting.class));
    try (BlockCache cache = builder.build()) {
      LiveSettings live = cache.control().settings();
      assertThat(live.overheadTarget()).isEqualTo(0.25);
      assertThat(live.smallBypassDramBytes()).isEqualTo(12345);
      assertThat(live.smallBypassFraction()).isEqualTo(0.75);
      assertThat(live.evictionWindow()).hasSeconds(77);
      assertThat(live.fullTarget()).isEqualTo(0.5);
      assertThat(live.maxPinnedBytes()).isEqualTo(4096);
      assertThat(live.writeLimitBytesPerSecond()).isEqualTo(47);
      assertThat(live.writeLimitBytesPerDay()).isEqualTo(11);
      assertThat(live.verifiedReads()).isEqualTo(0.5);
    }
  }

  @Test
  void shouldKnowTheKeysOfAHost() {
    KnownKeys keys = CacheSettings.keys("x.", EnumSet.of(LiveSetting.FULL_TARGET), "x.own");
    keys.check(
        List.of(
            "x.medium",
            "x.path",
            "x.key.file",
            "x.overwrite",
            "x.policies",
            "x.calibration",
            "x.drive.writes.per.day",
            "x.full.target",
            "x.own"));
    assertThatThrownBy(() -> keys.check(List.of("x.overhead.target")))
        .hasMessageContaining("unknown setting x.overhead.target");
  }

  @Test
  void shouldLeaveWhatIsNotSet() {
    given.put("x.policies", "paper-4");
    given.put("x.full.target", "0.5"); // Not of this host.
    given.put("x.drive.writes.per.day", "3");
    BlockCacheBuilder builder = builder();
    assertThat(common.applyPolicies(builder, EnumSet.of(LiveSetting.OVERHEAD_TARGET)))
        .isEqualTo(PolicyPreset.PAPER_4);
    try (BlockCache cache = builder.build()) {
      LiveSettings live = cache.control().settings();
      assertThat(live.smallBypassDramBytes()).isZero(); // The preset would set it.
      assertThat(live.evictionWindow()).hasSeconds(4);
      assertThat(live.fullTarget()).isEqualTo(0.95);
      assertThat(live.maxPinnedBytes()).isEqualTo((1 << 20) / 8);
      assertThat(live.writeLimitBytesPerDay()).isEqualTo(3 << 20);
    }
  }

  @Test
  void shouldOfferTheMediaOfTheHostAsWell() {
    given.put("x.path", "/f");
    assertThatThrownBy(() -> common.applyMedium(BlockCache.builder(), 1 << 20, "me"))
        .hasMessage(
            "x.path is '/f'; native memory, the default, needs no file: set x.medium to mapped or"
                + " flash, or remove the path");
    assertThatThrownBy(() -> common.applyMedium(BlockCache.builder(), 1 << 20, "me", "llpl"))
        .hasMessage(
            "x.path is '/f'; native memory, the default, needs no file: set x.medium to mapped,"
                + " flash or llpl, or remove the path");
    given.put("x.medium", "llpl");
    assertThat(common.applyMedium(BlockCache.builder(), 1 << 20, "me", "llpl")).isEqualTo("llpl");
    assertThat(common.path("llpl")).isEqualTo(Path.of("/f"));
    assertThatThrownBy(() -> common.applyMedium(BlockCache.builder(), 1 << 20, "me"))
        .hasMessageContaining("x.medium is 'llpl'; it must be one of native, mapped, flash;");
  }

  @Test
  void shouldNameTheKeyOfACalibrationThatCannotBeRead(@TempDir Path directory) {
    given.put("x.calibration", directory.resolve("none").toString());
    assertThatThrownBy(() -> common.applyPolicies(BlockCache.builder(), Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x.calibration: can't read");
  }
}
