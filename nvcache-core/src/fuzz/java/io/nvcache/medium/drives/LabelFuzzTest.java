// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Labels of drives that the fuzzer writes over, with the sums made right: they are refused, or
 * read, and an array on such drives can be opened and used.
 */
final class LabelFuzzTest {
  private static final List<byte[]> SOUND = sound();

  private static List<byte[]> sound() {
    try {
      return ArrayLabelTest.labels();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void decoded(FuzzedDataProvider data) {
    ArrayLabelTest.plan(labels(data));
  }

  @FuzzTest(maxExecutions = 1_000_000, maxDuration = "2h")
  void opened(FuzzedDataProvider data) {
    ArrayLabelTest.open(labels(data));
  }

  private static List<byte[]> labels(FuzzedDataProvider data) {
    List<byte[]> labels = new ArrayList<>();
    for (byte[] each : SOUND) {
      byte[] label = each.clone();
      byte[] over = data.consumeBytes(data.consumeInt(0, 256));
      int at = data.consumeInt(0, label.length - over.length);
      System.arraycopy(over, 0, label, at, over.length);
      ArrayLabelTest.rightSums(label);
      labels.add(label);
    }
    return labels;
  }
}
