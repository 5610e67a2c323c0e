// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.nvcache.control.TuningBounds;
import java.time.Duration;

/**
 * What comes from files and command lines of others: a value, or an {@link
 * IllegalArgumentException} that says what is wrong; nothing else, and soon.
 */
final class ParserFuzzTest {
  private static final int LONGEST = 4096;

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void calibration(FuzzedDataProvider data) {
    String text = data.consumeString(LONGEST);
    try {
      for (MeasuredRecords.Entry entry : MeasuredRecords.parse(text)) {
        require(!Double.isNaN(entry.value()), "NaN");
        require(text.contains(entry.metric()), "made up " + entry.metric());
      }
    } catch (IllegalArgumentException e) {
      explained(e);
    }
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void debugProperty(FuzzedDataProvider data) {
    try {
      require(DebugChecks.parse(data.consumeRemainingAsString()).size() <= 3, "too many");
    } catch (IllegalArgumentException e) {
      explained(e);
    }
  }

  /** Huge, negative and contradicting options. */
  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void options(FuzzedDataProvider data) {
    BlockCacheBuilder builder = BlockCache.builder().maintainedByCaller();
    try {
      while (data.remainingBytes() > 0) {
        set(builder, data);
      }
      builder.nativeMemory(data.consumeLong(Long.MIN_VALUE, 1 << 20)).build().close();
    } catch (IllegalArgumentException e) {
      explained(e);
    }
  }

  private static void set(BlockCacheBuilder builder, FuzzedDataProvider data) {
    switch (data.consumeInt(0, 20)) {
      case 0 -> builder.overheadTarget(data.consumeDouble());
      case 1 -> builder.smallBypassDramBytes(data.consumeLong());
      case 2 -> builder.smallBypassFraction(data.consumeDouble());
      case 3 -> builder.evictionWindow(Duration.ofMillis(data.consumeInt()));
      case 4 -> builder.fullTarget(data.consumeDouble());
      case 5 -> builder.expectedBlockBytes(data.consumeInt());
      case 6 -> builder.maxBlockBytes(data.consumeInt());
      case 7 -> builder.maxPinnedBytes(data.consumeLong());
      case 8 -> builder.testing(TestHook.hashSeed(data.consumeLong()));
      case 9 -> builder.maxMediumFailures(data.consumeInt());
      case 10 -> builder.mediumBackOff(Duration.ofMillis(data.consumeInt()));
      case 11 -> builder.mediumStuckAfter(Duration.ofMillis(data.consumeInt()));
      case 12 -> builder.checksum(data.pickValue(Checksum.values()));
      case 13 -> builder.writeLimitBytesPerSecond(data.consumeLong());
      case 14 -> builder.writeLimitBytesPerDay(data.consumeLong());
      case 15 -> builder.policies(data.pickValue(PolicyPreset.values()));
      case 16 ->
          builder.testing(
              TestHook.debug(
                  data.pickValues(DebugCheck.values(), data.consumeInt(0, 3))
                      .toArray(DebugCheck[]::new)));
      case 17 -> builder.shadows(data.consumeDouble(), data.consumeString(20));
      case 18 ->
          builder.tuning(
              new TuningBounds(
                  data.consumeDouble(),
                  data.consumeDouble(),
                  Duration.ofNanos(data.consumeLong())));
      case 19 -> builder.registerMBean(data.consumeString(20));
      default -> builder.encrypted();
    }
  }

  private static void explained(IllegalArgumentException e) {
    require(e.getMessage() != null && !e.getMessage().isBlank(), "not a word: " + e);
  }

  private static void require(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError(otherwise);
    }
  }
}
