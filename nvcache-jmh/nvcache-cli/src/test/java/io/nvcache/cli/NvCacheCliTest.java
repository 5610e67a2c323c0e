// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.progress.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class NvCacheCliTest {
  @Test
  void shouldListItsCommands() {
    for (CliRun run : new CliRun[] {CliRun.of("--help"), CliRun.of("help")}) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("Usage: nvcache").contains("calibrate", "wipe", "log", "jmx");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void shouldListTheCommandsByEachWayToAskForHelp() {
    CliRun help = CliRun.of("--help");

    assertThat(help.out()).contains("  trace ", "  calibrate ", "  inspect ", "  jmx ");
    assertThat(CliRun.of("help").out()).isEqualTo(help.out());
  }

  @ParameterizedTest
  @CsvSource({
    "ycsb, nvcache-ycsb",
    "bench, nvcache-bench",
    "stress, nvcache-bench",
    "reproduce, nvcache-reproduction"
  })
  void shouldNameModuleOfCommandThatIsNotThere(String command, String module) {
    CliRun help = CliRun.of("--help");
    CliRun run = CliRun.of(command, "hbase", "--records", "1000");

    assertThat(help.out()).contains("  " + command + " ", "(needs", module + ")");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .hasLineCount(1)
        .startsWith("nvcache " + command + ": this command is in " + module + ", which is not");
  }

  /** What runs without picocli must list what picocli runs. */
  @Test
  void shouldHaveEveryCommandOfItsOwnModule() {
    List<String> own =
        Arrays.stream(KnownCommand.values())
            .filter(command -> command.module().equals(KnownCommand.OWN_MODULE))
            .map(KnownCommand::label)
            .toList();

    assertThat(new OwnCommands().names()).isEqualTo(own);
    for (KnownCommand command : KnownCommand.values()) {
      CommandLine line =
          NvCacheCli.commandLine(new StopSignal()).getSubcommands().get(command.label());
      assertThat(line.getCommandSpec().usageMessage().description()[0])
          .startsWith(command.summary());
    }
  }

  @Test
  void shouldExplainOptionsInSentencesWithASubject() {
    assertThat(OptionTexts.checked()).contains("--block-bytes", "--seed", "--interval");
  }

  /** Of a disk that is full, or a reader that has ended. */
  @ParameterizedTest
  @ValueSource(strings = {"--help", "help", "trace --list-policies"})
  void shouldFailIfItsResultsAreLost(String words) {
    String[] args = words.split(" ");
    StringWriter err = new StringWriter();
    int exitCode =
        NvCacheCli.commandLine(new StopSignal(), args)
            .setOut(new PrintWriter(new BrokenPipe(0), true))
            .setErr(new PrintWriter(err, true))
            .execute(args);

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).contains("can't write to the standard output");
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
    assertThat(run.out()).contains("--trace=", "Default: ", "--json=FILE");
    assertThat(run.out()).doesNotContain("%%").doesNotContain("${");
  }
}
