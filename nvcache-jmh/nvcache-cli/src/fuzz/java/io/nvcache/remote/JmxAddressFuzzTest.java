// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Addresses of processes: one of the three forms, or a reason why not. Connects to nothing. */
final class JmxAddressFuzzTest {
  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void address(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    try {
      if (!JmxAddress.parse(text).toString().equals(text)) {
        throw new AssertionError("another address than '" + text + "'");
      }
    } catch (IllegalArgumentException e) {
      if (e.getMessage() == null || !e.getMessage().contains(text)) {
        throw new AssertionError("says not what is wrong", e);
      }
    }
  }
}
