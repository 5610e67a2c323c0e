// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NvCacheCliTest {
  @Test
  void shouldListItsCommands() {
    for (CliRun run : new CliRun[] {CliRun.of("--help"), CliRun.of("help")}) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("Usage: nvcache").contains("ycsb", "calibrate", "wipe");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void shouldTellItsVersion() {
    CliRun run = CliRun.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("nvcache ").hasLineCount(1);
  }

  @Test
  void shouldExplainEveryOptionOfYcsb() {
    CliRun run = CliRun.of("ycsb", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("--workload=LIST", "--capacity=SIZE|PERCENT", "Default: 25%", "--json=FILE");
    assertThat(run.out()).doesNotContain("%%").doesNotContain("${");
  }
}
