// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallBypassTest extends AdmissionContract {
  @Override
  protected AdmissionFactory factory() {
    return SmallBypass::new;
  }

  @ParameterizedTest(name = "{0} bytes, {1} of them, {2} of DRAM: small {3}")
  @CsvSource({
    // bytes, fraction, DRAM, small
    "0, 0.5, 1, true",
    "199, 0.5, 100, true",
    "200, 0.5, 100, false",
    "201, 0.5, 100, false",
    "99, 1, 100, true",
    "100, 1, 100, false",
    "9999, 0.01, 100, true",
    "10000, 0.01, 100, false",
    // No DRAM: off.
    "0, 0.5, 0, false",
    "1, 0.5, 0, false",
    // Sizes whose product with a percentage leaves 64 bits.
    "9223372036854775807, 1, 9223372036854775807, false",
    "4611686018427387904, 0.5, 4611686018427387904, true",
  })
  void shouldBypassWhileThePartFitsInDram(
      long bytes, double fraction, long dramBytes, boolean small) {
    dataSet.bytes(bytes);
    settings.setSmallBypassFraction(fraction);
    settings.setSmallBypassDramBytes(dramBytes);
    assertThat(decide(policy()))
        .isEqualTo(small ? AdmissionDecision.BYPASS_SMALL : AdmissionDecision.ADMIT);
  }

  @Test
  void shouldAgreeWithWiredTigersIntegers() {
    AdmissionPolicy policy = policy();
    Seeds.each(
        20_000,
        random -> {
          long dramBytes = 1L + random.nextInt(1_000_000);
          int percent = 1 + random.nextInt(100);
          long bytes = Math.max(0, dramBytes * 100 / percent + random.nextInt(5) - 2);
          if (bytes * percent == dramBytes * 100 && percent != 50) {
            bytes++; // Exactly equal: the one case that the rounding of a ratio may turn.
          }
          dataSet.bytes(bytes);
          settings.setSmallBypassFraction(percent / 100.0);
          settings.setSmallBypassDramBytes(dramBytes);
          boolean small =
              BigInteger.valueOf(bytes)
                      .multiply(BigInteger.valueOf(percent))
                      .divide(BigInteger.valueOf(100))
                      .compareTo(BigInteger.valueOf(dramBytes))
                  < 0;
          assertThat(decide(policy))
              .as("%d bytes, %d %%, %d of DRAM", bytes, percent, dramBytes)
              .isEqualTo(small ? AdmissionDecision.BYPASS_SMALL : AdmissionDecision.ADMIT);
        });
  }

  @Test
  void shouldSeeTheDataSetGrowAndTheSettingsChange() {
    AdmissionPolicy policy = policy();
    settings.setSmallBypassDramBytes(1_000);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.ADMIT);
    dataSet.bytes(1_500);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_SMALL);
    dataSet.bytes(2_500);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.ADMIT);
    settings.setSmallBypassDramBytes(2_000);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_SMALL);
    settings.setSmallBypassFraction(0.9);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.ADMIT);
  }

  @Test
  void shouldNotHoldBackEviction() {
    settings.setSmallBypassDramBytes(1_000);
    dataSet.bytes(1);
    assertThat(policy().mayEvict()).isTrue();
  }
}
