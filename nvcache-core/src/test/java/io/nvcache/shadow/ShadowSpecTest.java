// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ShadowSpecTest {
  @ParameterizedTest
  @CsvSource({
    "live@20%, live, 0.2, 1",
    "paper-20@0.5%*2, paper-20, 0.005, 2",
    "admit-all@1000%*0.125, admit-all, 10, 0.125",
  })
  void shouldReadPolicyTargetAndSize(String text, String policy, double target, double size) {
    ShadowSpec spec = ShadowSpec.parse(text);

    assertThat(spec.policy()).isEqualTo(policy);
    assertThat(spec.overheadTarget()).isEqualTo(OptionalDouble.of(target));
    assertThat(spec.sizeFactor()).isEqualTo(size);
    assertThat(spec.name()).isEqualTo(text);
  }

  @Test
  void shouldTakeTheLiveTargetAndSizeWhereNoneIsGiven() {
    ShadowSpec spec = ShadowSpec.parse("paper");

    assertThat(spec.overheadTarget()).isEmpty();
    assertThat(spec.sizeFactor()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@20%",
        "live@20",
        "live@-1%",
        "live@1001%",
        "live*0",
        "live*65",
        "live*x",
        "Live",
        "live@20%%",
        "live *2",
        "live*2*2"
      })
  void shouldRefuseOtherForms(String text) {
    assertThatThrownBy(() -> ShadowSpec.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
