// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import io.nvcache.cli.OptionTexts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BadYcsbOptionsTest {
  @TempDir private Path directory;

  @Test
  void shouldListAndExplainCommandOfThisModule() {
    CliRun run = CliRun.of("ycsb", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("--workload=LIST", "--capacity=SIZE|PERCENT", "Default: 25%", "--json=FILE")
        .doesNotContain("%%")
        .doesNotContain("${");
    assertThat(CliRun.of("help").out()).contains("  ycsb ").doesNotContain("-ycsb)");
    assertThat(OptionTexts.checked()).contains("--second", "--block-bytes", "--seed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--workload   | G            | a list, with commas and without repetitions, of A, B, C, D, E, F",
        "--workload   | A,,B         | a list, with commas and without repetitions, of A, B, C, D, E, F",
        "--workload   | A,B,A        | a list, with commas and without repetitions, of A, B, C, D, E, F",
        "--policies   | best         | a list, with commas and without repetitions, of none, admit-all, paper, default",
        "--policies   | none,none    | a list, with commas and without repetitions, of none, admit-all, paper,",
        "--distribution | normal     | one of zipfian, uniform, latest",
        "--medium     | tape         | a list, with commas and without repetitions, of native, mapped, flash, llpl, emulated-nvram",
        "--medium     | mapped,llpl  | a list with one of mapped, flash and llpl at most",
        "--records    | 999          | a whole number from 1000 to 1000000000",
        "--records    | 1000000001   | a whole number from 1000 to 1000000000",
        "--records    | many         | a whole number from 1000 to 1000000000",
        "--records    | -5           | a whole number from 1000 to 1000000000",
        "--records    | 9999999999999999999999 | a whole number from 1000 to 1000000000",
        "--field-count | 0           | a whole number from 1 to 1000",
        "--field-length | 0          | a size from 1B to 1MiB",
        "--field-length | 10%        | a size from 1B to 1MiB",
        "--block-bytes | 16KB        | a size from 1KiB to 1MiB",
        "--block-bytes | 1023        | a size from 1KiB to 1MiB",
        "--block-bytes | 2MiB        | a size from 1KiB to 1MiB",
        "--memtable   | 2GiB         | a size from 64KiB to 1GiB",
        "--compact-at-files | 1      | a whole number from 2 to 100",
        "--compact-at-files | 101    | a whole number from 2 to 100",
        "--compaction-heat | maybe   | one of on, off",
        "--threads    | 0            | a whole number from 1 to 1024",
        "--seconds    | 0            | a whole number from 1 to 86400",
        "--seconds    | 1.5          | a whole number from 1 to 86400",
        "--operations | 99           | a whole number from 100 to 1000000000000",
        "--rounds     | 1            | a whole number from 2 to 1000",
        "--seed       | x            | a whole number from -999999999999999999 to",
        "--warm-up    | 95%          | a percentage from 0% to 90%",
        "--warm-up    | 30           | a percentage from 0% to 90%",
        "--overhead-target | -1%     | a percentage from 0% to 1000%",
        "--overhead-target | 0.1     | a percentage from 0% to 1000%",
        "--eviction-window | 0       | a whole number from 1 to 31536000",
        "--path       | file         | left out unless --medium is mapped",
        "--nvram-scale | 2           | left out unless --medium is emulated-nvram",
        "--directory  | no/such      | a directory that exists and can be written to",
        "--report     | no/such/file | a file that can be written, in a directory that exists",
        "--json       | no/such/file | a file that can be written, in a directory that exists",
      })
  void shouldNameOptionValueAndWhatIsAllowed(String option, String value, String allowed) {
    assertBadUsage(
        CliRun.of("ycsb", option, value),
        "nvcache ycsb: " + option + " is '" + value + "'; it must be " + allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--capacity | 1%  | 1% = 1.9MiB | a size from 4MiB to 1TiB, or a percentage of the data (190.",
        "--capacity | lots | lots       | a size from 4MiB to 1TiB, or a percentage of the data (190.",
        "--dram     | 1B  | 1B = 1B     | a size from 64KiB to 1TiB, or a percentage of the data (190.",
        "--small-bypass-dram | -1 | -1  | a size from 0B to 1TiB, or a percentage of the data (190.7",
      })
  void shouldTellSizeThatPercentageMakes(
      String option, String value, String shown, String allowed) {
    assertBadUsage(
        CliRun.of("ycsb", option, value),
        "nvcache ycsb: " + option + " is '" + shown + "'; it must be " + allowed);
  }

  static Stream<Arguments> otherMistakes() {
    return Stream.of(
        Arguments.of(
            "nvcache ycsb: Unknown option: '--recrods=5'; did you mean --records",
            new String[] {"ycsb", "--recrods=5"}),
        Arguments.of(
            "nvcache ycsb: Missing required parameter for option '--records'",
            new String[] {"ycsb", "--records"}),
        Arguments.of(
            "nvcache ycsb: option '--records' (N) should be specified only once",
            new String[] {"ycsb", "--records", "1000", "--records", "2000"}),
        Arguments.of(
            "nvcache ycsb: Unmatched argument at index 1: 'extra'", new String[] {"ycsb", "extra"}),
        Arguments.of(
            "nvcache ycsb: --path is ''; it must be a new file for --medium mapped",
            new String[] {"ycsb", "--medium", "mapped"}),
        Arguments.of(
            "nvcache ycsb: --nvram-scale is '0'; it must be a number from 0.001 to 1000",
            new String[] {"ycsb", "--medium", "emulated-nvram", "--nvram-scale", "0"}),
        Arguments.of(
            "nvcache ycsb: --records is 'two lines'; it must be a whole number",
            new String[] {"ycsb", "--records", "two\nlines"}));
  }

  @ParameterizedTest
  @MethodSource("otherMistakes")
  void shouldAnswerOtherMistakesInOneLine(String start, String[] args) {
    assertBadUsage(CliRun.of(args), start);
  }

  @Test
  void shouldRefuseMappedFileThatExists() throws Exception {
    Path file = Files.writeString(directory.resolve("precious"), "data");

    assertBadUsage(
        CliRun.of("ycsb", "--medium", "mapped", "--path", file.toString()),
        "nvcache ycsb: --path is '" + file + "'; it must be a new file in a directory that exists");
    assertThat(file).hasContent("data");
  }

  private static void assertBadUsage(CliRun run, String start) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err().lines()).as(run.err()).hasSize(1);
    assertThat(run.err()).startsWith(start).contains(" --help)");
    assertThat(run.out()).isEmpty();
  }
}
