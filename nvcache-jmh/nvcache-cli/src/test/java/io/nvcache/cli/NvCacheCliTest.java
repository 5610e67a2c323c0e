// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.progress.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class NvCacheCliTest {
  @Test
  void shouldListItsCommands() {
    for (CliRun run : new CliRun[] {CliRun.of("--help"), CliRun.of("help")}) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("Usage: nvcache").contains("calibrate", "wipe", "jmx");
      assertThat(run.err()).isEmpty();
    }
  }

  /** "Of one read or write" says nothing to one who does not know of what. */
  @Test
  void shouldExplainOptionsInSentencesWithASubject() {
    List<String> seen = new ArrayList<>();
    forEachOption(
        NvCacheCli.commandLine(new StopSignal()),
        option -> {
          String text = String.join(" ", option.description());
          seen.add(option.longestName());
          assertThat(text).as(option.longestName()).isNotBlank().doesNotStartWith("Of ");
        });
    assertThat(seen).contains("--block-bytes", "--seed", "--interval");
  }

  private static void forEachOption(CommandLine command, Consumer<OptionSpec> visitor) {
    command.getCommandSpec().options().forEach(visitor);
    command.getSubcommands().values().forEach(sub -> forEachOption(sub, visitor));
  }

  @Test
  void shouldTellItsVersion() {
    CliRun run = CliRun.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("nvcache ").hasLineCount(1);
  }

  @Test
  void shouldExplainEveryOptionOfTrace() {
    CliRun run = CliRun.of("trace", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("--workload=LIST", "--capacity=SIZE|PERCENT", "Default: 25%", "--json=FILE");
    assertThat(run.out()).doesNotContain("%%").doesNotContain("${");
  }
}
