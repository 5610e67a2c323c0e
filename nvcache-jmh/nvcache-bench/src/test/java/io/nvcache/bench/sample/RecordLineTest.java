// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.JsonRecords;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordLineTest {
  @Test
  void shouldComeBackAsWritten() {
    JsonRecords.Entry record =
        new JsonRecords.Entry(
            "hit_copy_ratio_to_raw", Map.of("impl", "ohc", "threads", "2"), 1.0 / 3, "ratio");

    assertThat(RecordLine.read(RecordLine.write(record))).isEqualTo(record);
  }

  @Test
  void shouldIgnoreWhatLibrariesSay() {
    assertThat(RecordLine.read("SLF4J: no providers\t1\t2\t3")).isNull();
    assertThat(RecordLine.read("")).isNull();
  }
}
