// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadOptionsTest {
  static Stream<Arguments> otherMistakes() {
    return Stream.of(
        Arguments.of(
            "nvcache: Missing required subcommand; commands are help, ycsb, trace",
            new String[] {}),
        Arguments.of(
            "nvcache: 'foo' is no command; commands are help, ycsb, trace, calibrate, stress,"
                + " bench, reproduce, inspect, wipe, log, jmx (see nvcache --help)",
            new String[] {"foo"}),
        Arguments.of("nvcache: 'tarce' is no command; did you mean", new String[] {"tarce"}),
        Arguments.of(
            "nvcache trace: Unmatched argument at index 1: 'foo'", new String[] {"trace", "foo"}),
        Arguments.of(
            "nvcache trace: --trace is missing; name a file or a generator, such as zipf:blocks=",
            new String[] {"trace"}),
        Arguments.of("nvcache jmx: say what to do: list, get", new String[] {"jmx"}),
        Arguments.of(
            "nvcache: Unknown subcommand 'nosuch'; commands are help",
            new String[] {"help", "nosuch"}),
        Arguments.of(
            "nvcache inspect: FILE is ''; it must be the file of a flash medium",
            new String[] {"inspect", ","}),
        Arguments.of("nvcache inspect: FILE is 'a,,b'; it must", new String[] {"inspect", "a,,b"}),
        Arguments.of("nvcache inspect: FILE is ''; it must", new String[] {"inspect", ""}),
        Arguments.of(
            "nvcache jmx list: 'service:jmx:foo' is no JMX address",
            new String[] {"jmx", "list", "service:jmx:foo"}));
  }

  @ParameterizedTest
  @MethodSource("otherMistakes")
  void shouldAnswerOtherMistakesInOneLine(String start, String[] args) {
    assertBadUsage(CliRun.of(args), start);
  }

  private static void assertBadUsage(CliRun run, String start) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err().lines()).as(run.err()).hasSize(1);
    assertThat(run.err()).startsWith(start).contains(" --help)");
    assertThat(run.out()).isEmpty();
  }
}
