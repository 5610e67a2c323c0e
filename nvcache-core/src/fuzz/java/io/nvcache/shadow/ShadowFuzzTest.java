// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Names of shadows, which come over JMX: a candidate within its bounds, or a reason why not. */
final class ShadowFuzzTest {
  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void spec(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    try {
      ShadowSpec spec = ShadowSpec.parse(text);
      double target = spec.overheadTarget().orElse(0);
      if (!spec.name().equals(text)
          || !(target >= 0 && target <= 10)
          || !(spec.sizeFactor() >= 1.0 / 64 && spec.sizeFactor() <= 64)) {
        throw new AssertionError("out of bounds: " + spec);
      }
    } catch (IllegalArgumentException e) {
      if (e.getMessage() == null || !e.getMessage().contains(text)) {
        throw new AssertionError("says not what is wrong", e);
      }
    }
  }
}
