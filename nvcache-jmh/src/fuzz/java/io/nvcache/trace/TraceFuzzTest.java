// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Trace files of every format: a trace, or an {@link IOException} that says what is wrong. */
final class TraceFuzzTest {
  private interface Reader {
    Trace read(ByteArrayInputStream file) throws IOException;
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void csv(FuzzedDataProvider data) {
    read(data, CsvFormat::read);
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void keys(FuzzedDataProvider data) {
    read(data, KeysFormat::read);
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void nvtr(FuzzedDataProvider data) {
    read(data, NvtrFormat::read);
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void oracleGeneral(FuzzedDataProvider data) {
    read(data, OracleGeneralFormat::read);
  }

  private static void read(FuzzedDataProvider data, Reader reader) {
    try {
      if (reader.read(new ByteArrayInputStream(data.consumeRemainingAsBytes())) == null) {
        throw new AssertionError("no trace and no reason");
      }
    } catch (IOException e) {
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new AssertionError("not a word", e);
      }
    }
  }
}
