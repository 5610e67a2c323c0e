// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.Calibration;
import io.nvcache.cli.kit.ByteSize;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.device.MediumChoice;
import io.nvcache.llpl.PmemLibraries;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The whole way, too short for its figures to mean anything: what they mean is tested elsewhere.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CalibrateCommandTest {
  private static final List<String> SHORT =
      List.of("calibrate", "--size", "16MiB", "--seconds", "1", "--rounds", "2", "--quiet");

  @TempDir private Path directory;

  private CliRun calibrate(String... more) {
    List<String> args = new ArrayList<>(SHORT);
    args.addAll(List.of(more));
    return CliRun.of(args.toArray(new String[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash", "llpl", "emulated-nvram"})
  void shouldMeasureEveryMediumAndWriteWhatACacheCanRead(String medium) throws IOException {
    assumeTrue(!medium.equals("llpl") || PmemLibraries.problem() == null, "LLPL can't be loaded");
    Path json = directory.resolve("c.json");
    Path report = directory.resolve("c.html");
    Path path = directory.resolve("medium");
    boolean hasFile = List.of("mapped", "flash", "llpl").contains(medium);
    List<String> args = new ArrayList<>(List.of("--medium", medium, "--readers", "2"));
    args.addAll(List.of("--writers", "2", "--json", json.toString()));
    args.addAll(List.of("--report", report.toString()));
    if (hasFile) {
      args.addAll(List.of("--path", path.toString()));
    }

    CliRun run = calibrate(args.toArray(new String[0]));

    boolean trusted =
        Files.readString(json)
            .contains(
                "{\"metric\": \"trustworthy\", \"labels\": {\"medium\": \"%s\"}, \"value\": 1"
                    .formatted(medium));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(trusted ? 0 : 1);
    assertThat(run.err()).hasLineCount(trusted ? 0 : 1);
    assertThat(run.out().contains("NOT TO BE TRUSTED")).isEqualTo(!trusted);
    assertThat(run.out())
        .contains("Bandwidth", "readers", "writers", "Latency of 256-byte reads")
        .containsPattern("Overhead target: \\d+ %|Leave the overhead bypass off");
    assertThat(path).doesNotExist();
    Calibration read = Calibration.read(json);
    assertThat(read.medium()).isEqualTo(medium);
    assertThat(read.overheadTarget()).isBetween(0.01, 10.0);
    String records = Files.readString(json);
    boolean isDrive = medium.equals("flash");
    assertThat(records.contains("\"dram\"")).isEqualTo(!isDrive);
    assertThat(run.out().contains("Reads of 16 KiB next to writes")).isEqualTo(isDrive);
    assertThat(
            records.contains(
                "{\"metric\": \"block_read_p99\", \"labels\": {\"medium\": \"flash\","
                    + " \"readers\": \"2\", \"writers\": \"2\"}"))
        .isEqualTo(isDrive);
    for (String label : isDrive ? List.of(medium) : List.of(medium, "dram")) {
      assertThat(records)
          .contains("{\"metric\": \"device_read_latency\", \"labels\": {\"medium\": \"" + label);
    }
    assertThat(Files.readString(report))
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .containsPattern("(?s)<svg.*<svg.*<dt>" + medium + (isDrive ? "" : ".*<dt>dram"))
        .doesNotContain("{{")
        .doesNotContain("<script");
  }

  @Test
  void shouldUseADirectoryForHeaps() throws IOException {
    assumeTrue(PmemLibraries.problem() == null, "LLPL can't be loaded");
    Path heaps = Files.createDirectory(directory.resolve("heaps"));

    CliRun run = calibrate("--medium", "llpl", "--path", heaps.toString());

    assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
    assertThat(run.out()).contains("Bandwidth");
    assertThat(heaps).isEmptyDirectory();
  }

  @Test
  void shouldReportNothingWhenStoppedAtOnce() {
    StopSignal stop = new StopSignal();
    stop.request();
    List<String> args = new ArrayList<>(SHORT);
    args.addAll(List.of("--medium", "native"));

    CliRun run = CliRun.of(stop, args.toArray(new String[0]));

    assertThat(run.exitCode()).isEqualTo(130);
    assertThat(run.err())
        .hasLineCount(1)
        .contains("stopped before two rounds were done; nothing is known");
  }

  /** What is refused here would have the system end processes. */
  @ParameterizedTest
  @CsvSource({"native, 4GiB, 8GiB", "mapped, 7GiB, 7GiB"})
  void shouldRefuseMoreThanTheMachinesMemory(String medium, String size, String needed) {
    CalibrateOptions options = new CalibrateOptions();
    CommandLine line = new CommandLine(options);
    line.parseArgs("--medium", medium, "--size", size);
    OptionReader reader = new OptionReader(line);
    MediumChoice choice = MediumChoice.valueOf(medium.toUpperCase(Locale.ROOT));

    assertThatThrownBy(() -> options.read(reader, choice, 8L << 30))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--size")
        .hasMessageContaining(Figures.bytes(ByteSize.parse(needed).orElseThrow().bytes(0)))
        .hasMessageContaining("more than four fifths of this machine's")
        .hasMessageContaining("lower it");
    assertThat(options.read(reader, choice, 16L << 30).mediumBytes()).isPositive();
    assertThat(options.read(reader, choice, 0).mediumBytes())
        .as("who knows not how much there is, can't refuse")
        .isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--medium tape                | one of native, mapped, flash, llpl, emulated-nvram",
        "--medium llpl                | a new file for --medium llpl, on the medium to be used",
        "--medium native --path x     | left out unless --medium is mapped, flash or llpl",
        "--medium native --readers 0  | a whole number from 1 to 256",
        "--medium native --writers x  | a whole number from 1 to 256",
        "--medium native --size 1MiB  | a size from 16MiB to 1TiB",
        "--medium native --rounds 1   | a whole number from 2 to 100",
        "--medium native --seconds 0  | a whole number from 1 to 86400",
        "--medium native --block-bytes 17MiB | a size from 256B to 16MiB",
        "--medium native --max-read-loss 0% | a percentage from 1% to 100%",
        "--medium native --nvram-scale 2 | left out unless --medium is emulated-nvram",
        "--quiet                      | Missing required option: '--medium=MEDIUM'"
      })
  void shouldRefuseBadOptionsInOneLine(String options, String expected) {
    List<String> args = new ArrayList<>(List.of("calibrate"));
    args.addAll(List.of(options.strip().split(" +")));

    CliRun run = CliRun.of(args.toArray(new String[0]));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasLineCount(1).contains(expected.strip());
  }
}
