// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private final ResultTable table =
      new ResultTable(
          "a title",
          List.of("policy", "ops/s"),
          List.of(List.of("none", "1,000"), List.of("admit-all", "12")));

  @Test
  void shouldAlignNamesLeftAndFiguresRight() {
    assertThat(new TextTable(StandardCharsets.UTF_8).draw(table))
        .isEqualTo(
            """
            a title
            ┌───────────┬───────┐
            │ policy    │ ops/s │
            ├───────────┼───────┤
            │ none      │ 1,000 │
            │ admit-all │    12 │
            └───────────┴───────┘""");
  }

  @Test
  void shouldDrawWithPlainCharactersWhereTerminalHasNoOthers() {
    String drawn = new TextTable(StandardCharsets.US_ASCII).draw(table);

    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(drawn)).as(drawn).isTrue();
    assertThat(drawn).contains("+--", "| none ");
  }

  @Test
  void shouldWrapLongTexts() {
    String wrapped = TextTable.wrap("word ".repeat(60).strip());

    assertThat(wrapped.lines()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 100);
    assertThat(wrapped.replace("\n  ", " ")).isEqualTo("word ".repeat(60).strip());
  }
}
