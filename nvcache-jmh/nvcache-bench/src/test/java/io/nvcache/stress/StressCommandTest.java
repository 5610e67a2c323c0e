// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StressCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldRunAndReport() throws IOException {
    Path json = directory.resolve("out.json");
    CliRun run =
        CliRun.of(
            "stress",
            "--minutes",
            "0.03",
            "--round",
            "0.5",
            "--seed",
            "7",
            "--threads",
            "2",
            "--medium",
            "mapped",
            "--path",
            directory.resolve("m").toString(),
            "--faults",
            "bit-flip,read-error",
            "--fault-rate",
            "0.01",
            "--json",
            json.toString());

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .startsWith("seed 7")
        .containsPattern("wrong +0")
        .contains("injected bit-flip");
    assertThat(run.err()).contains("round 1").contains("violations; RSS");
    assertThat(Files.readString(json))
        .contains("\"metric\": \"wrong\"")
        .contains("\"fault\": \"bit-flip\"");
  }

  @Test
  void shouldGoOnWithoutADriveThatIsPulled() throws IOException {
    CliRun run =
        CliRun.of(
            "stress",
            "--minutes",
            "0.12",
            "--round",
            "6",
            "--medium",
            "flash",
            "--path",
            directory.resolve("a") + "," + directory.resolve("b"),
            "--faults",
            "none",
            "--quiet");

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out()).containsPattern("wrong +0").containsPattern("drives_lost +1");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldExplainThatOnlyFlashLiesOnSeveralDrives() {
    String two = directory.resolve("a") + "," + directory.resolve("b");
    CliRun run = CliRun.of("stress", "--medium", "mapped", "--path", two);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("only flash lies on several drives");
  }

  /** A round's file has its own name, and is deleted with the cache. */
  @Test
  void shouldLeaveAFileThatExistsAlone() throws IOException {
    Path own = Files.writeString(directory.resolve("m-1"), "a user's own");
    CliRun run =
        CliRun.of(
            "stress",
            "--minutes",
            "0.05",
            "--round",
            "0.1",
            "--medium",
            "mapped",
            "--path",
            directory.resolve("m").toString(),
            "--quiet");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("m-1");
    assertThat(own).hasContent("a user's own");
    assertThat(directory).isDirectoryNotContaining("glob:**m-0");
  }

  @ParameterizedTest
  @CsvSource({
    "--minutes,0,a number from 0.01 to 100000",
    "--threads,0,a whole number from 1 to 256",
    "--faults,gremlins,a list",
    "--fault-rate,2,a number from 0 to 1",
    "--size,1,a size from 1MiB to 1GiB",
    "--medium,tape,one of",
    "--seed,x,a whole number",
  })
  void shouldExplainWhatCannotBe(String option, String value, String expected) {
    CliRun run = CliRun.of("stress", option, value);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains(option).contains(expected);
  }
}
