// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nvcache.report.JsonRecords.Entry;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonRecordsTest {
  @Test
  void shouldWriteOneFlatArrayOfRecords() throws Exception {
    StringWriter out = new StringWriter();

    JsonRecords.write(
        List.of(
            new Entry("hit_ratio", Map.of("policy", "paper", "medium", "native"), 0.16, "ratio"),
            new Entry("lookups", Map.of("policy", "a \"b\"\n"), 12_000_000, "lookups")),
        out);

    assertThat(out.toString().lines())
        .containsExactly(
            "[",
            "  {\"metric\": \"hit_ratio\", \"labels\": {\"medium\": \"native\", \"policy\":"
                + " \"paper\"}, \"value\": 0.16, \"unit\": \"ratio\"},",
            "  {\"metric\": \"lookups\", \"labels\": {\"policy\": \"a \\\"b\\\"\\n\"},"
                + " \"value\": 12000000, \"unit\": \"lookups\"}",
            "]");
  }

  @Test
  void shouldWriteEmptyArrayWithoutRecords() throws Exception {
    StringWriter out = new StringWriter();

    JsonRecords.write(List.of(), out);

    assertThat(out.toString().replaceAll("\\s", "")).isEqualTo("[]");
  }

  @Test
  void shouldRefuseFiguresThatJsonHasNoNumberFor() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Entry("hit_ratio", Map.of(), Double.NaN, "ratio"))
        .withMessage("hit_ratio is NaN; leave the record out");
  }
}
