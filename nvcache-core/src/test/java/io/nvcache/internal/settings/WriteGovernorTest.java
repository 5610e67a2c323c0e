// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.MutableSettings;
import io.nvcache.testing.Seeds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WriteGovernorTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long DAY = TimeUnit.DAYS.toNanos(1);
  private static final int BLOCK = 16 << 10;

  private final MutableSettings settings = new MutableSettings();
  private long now = -5 * SECOND; // Clocks may start anywhere.
  private final WriteGovernor governor = new WriteGovernor(settings, () -> now);

  private record Write(long nanos, int bytes) {}

  @Test
  void shouldLetEverythingPassWithoutLimits() {
    for (int i = 0; i < 1000; i++) {
      assertThat(governor.tryCharge(Integer.MAX_VALUE)).isTrue();
    }
  }

  @Test
  void shouldHoldTheLimitOfASecondInEverySpan() {
    Seeds.each(
        20,
        random -> {
          long limit = 20L * BLOCK;
          settings.setWriteLimitBytesPerSecond(limit);
          Deque<Write> span = new ArrayDeque<>();
          long inSpan = 0;
          long total = 0;
          long start = now;
          long seconds = 1L + random.nextInt(5);
          for (int i = 0; i < 20_000; i++) {
            now += random.nextInt((int) (SECOND / 50));
            int bytes = 1 + random.nextInt(BLOCK);
            if (governor.tryCharge(bytes)) {
              span.add(new Write(now, bytes));
              inSpan += bytes;
              total += bytes;
            }
            while (!span.isEmpty() && span.peek().nanos < now - seconds * SECOND) {
              inSpan -= span.poll().bytes;
            }
            assertThat(inSpan).isLessThanOrEqualTo(limit * (seconds + 1));
          }
          double spent = (double) total / limit / ((double) (now - start) / SECOND);
          assertThat(spent).as("part of the limit that was used").isBetween(0.95, 1.05);
        });
  }

  @Test
  void shouldHoldTheLimitOfADayInAny24Hours() {
    long limit = 1L << 30;
    settings.setWriteLimitBytesPerDay(limit);
    Deque<Write> day = new ArrayDeque<>();
    long inDay = 0;
    long most = 0;
    for (int i = 0; i < 600_000; i++) {
      now += SECOND;
      if (governor.tryCharge(BLOCK)) {
        day.add(new Write(now, BLOCK));
        inDay += BLOCK;
      }
      while (!day.isEmpty() && day.peek().nanos < now - DAY) {
        inDay -= day.poll().bytes;
      }
      most = Math.max(most, inDay);
    }
    assertThat(most).isLessThanOrEqualTo(limit).isGreaterThan(limit / 100 * 95);
  }

  /** After an hour of rest: the bucket is full, and fills again while it is emptied. */
  @Test
  void shouldHoldTwo25thsOfTheLimitOfADayInAnHour() {
    long limit = 25L * 1000 * BLOCK;
    settings.setWriteLimitBytesPerDay(limit);
    chargeAll();
    now += DAY;
    long inHour = 0;
    for (int second = 0; second < 3600; second++) {
      while (governor.tryCharge(BLOCK)) {
        inHour += BLOCK;
      }
      now += SECOND;
    }
    assertThat(inHour)
        .isLessThanOrEqualTo(limit * 2 / 25)
        .as("which is more than a thirteenth")
        .isGreaterThan(limit / 13);
  }

  @Test
  void shouldFollowALimitThatChanges() {
    settings.setWriteLimitBytesPerSecond(10 * BLOCK);
    assertThat(chargeAll()).isEqualTo(10);

    settings.setWriteLimitBytesPerSecond(2 * BLOCK);
    now += SECOND;
    assertThat(chargeAll()).isEqualTo(2);

    settings.setWriteLimitBytesPerSecond(0);
    assertThat(chargeAll()).isEqualTo(1000);

    settings.setWriteLimitBytesPerSecond(4 * BLOCK);
    now += SECOND;
    assertThat(chargeAll()).isEqualTo(4);
  }

  private int chargeAll() {
    int charged = 0;
    while (charged < 1000 && governor.tryCharge(BLOCK)) {
      charged++;
    }
    return charged;
  }

  @Test
  void shouldTakeChargesBack() {
    settings.setWriteLimitBytesPerSecond(BLOCK);
    assertThat(governor.tryCharge(BLOCK)).isTrue();
    assertThat(governor.tryCharge(BLOCK)).isFalse();
    governor.refund(BLOCK);
    assertThat(governor.tryCharge(BLOCK)).isTrue();
  }

  @Test
  void shouldLetABlockLongerThanASecondsWorthPassNowAndThen() {
    settings.setWriteLimitBytesPerSecond(BLOCK / 4);
    int charged = 0;
    for (int i = 0; i < 40; i++) {
      charged += governor.tryCharge(BLOCK) ? 1 : 0;
      now += SECOND;
    }
    assertThat(charged).isEqualTo(10);
  }

  @Test
  void shouldHoldBackWhatComesAfterBytesThatHadToBeWritten() {
    settings.setWriteLimitBytesPerSecond(BLOCK);
    settings.setWriteLimitBytesPerDay(25L * BLOCK);
    assertThat(governor.tryCharge(BLOCK)).isTrue();
    governor.charge(3 * BLOCK);
    assertThat(governor.daySpareBytes()).as("-1 would be no limit").isZero();
    now += 3 * SECOND;
    assertThat(governor.tryCharge(BLOCK)).isFalse();
    now += DAY;
    assertThat(governor.tryCharge(BLOCK)).isTrue();
  }

  @Test
  void shouldChargeWhatAPieceTakesBeyondItsBlocks() {
    settings.setWriteLimitBytesPerDay(25L * 10 * BLOCK);
    assertThat(governor.tryCharge(3 * BLOCK)).isTrue();
    assertThat(governor.tryCharge(BLOCK)).isTrue();
    governor.refund(BLOCK);
    governor.settle(2 * BLOCK); // Another block's worth lies in the log yet.
    assertThat(governor.daySpareBytes()).isEqualTo(7L * BLOCK);
    governor.settle(3 * BLOCK);
    assertThat(governor.daySpareBytes()).isEqualTo(5L * BLOCK);
    governor.settle(BLOCK);
    assertThat(governor.daySpareBytes()).isEqualTo(4L * BLOCK);
  }

  @Test
  void shouldForgetWhatIsNotSettledWhenALimitEnds() {
    settings.setWriteLimitBytesPerDay(25L * 10 * BLOCK);
    assertThat(governor.tryCharge(5 * BLOCK)).isTrue();
    settings.setWriteLimitBytesPerDay(0);
    governor.settle(BLOCK);
    settings.setWriteLimitBytesPerDay(25L * 10 * BLOCK);
    long before = governor.daySpareBytes();
    governor.settle(BLOCK);
    assertThat(governor.daySpareBytes()).isEqualTo(before - BLOCK);
  }
}
