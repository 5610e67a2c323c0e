// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import io.nvcache.cli.OptionTexts;
import org.junit.jupiter.api.Test;

class BadBenchOptionsTest {
  @Test
  void shouldListAndExplainCommandsOfThisModule() {
    assertThat(CliRun.of("help").out()).contains("  bench ", "  stress ").doesNotContain("-bench)");
    assertThat(OptionTexts.checked()).contains("--engines", "--faults", "--seed");
  }

  @Test
  void shouldNameHostsWhereNoneOrAnUnknownOneWasNamed() {
    CliRun none = CliRun.of("bench");
    CliRun unknown = CliRun.of("bench", "foo");

    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err())
        .hasLineCount(1)
        .startsWith(
            "nvcache bench: say which: flash, hbase, hbase-clients, hbase-day, restart (see");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .hasLineCount(1)
        .startsWith(
            "nvcache bench: 'foo' is no command; commands are flash, hbase, hbase-clients,"
                + " hbase-day, restart");
  }
}
