// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatIfCommandTest {
  private static final String DEVICE =
      """
      [
      {"metric": "overhead_target", "labels": {"medium": "cxl"}, "value": 0.4, "unit": "ratio"},
      {"metric": "device_read_bandwidth", "labels": {"medium": "native"}, "value": 1, "unit": "b"},
      {"metric": "device_read_bandwidth", "labels": {"medium": "cxl"}, "value": 2e10, "unit": "b"},
      {"metric": "device_reader_bandwidth", "labels": {"medium": "cxl"}, "value": 5e9, "unit": "b"},
      {"metric": "device_writer_bandwidth", "labels": {"medium": "cxl"}, "value": 4e9, "unit": "b"},
      {"metric": "device_full_speed_writers", "labels": {"medium": "cxl"}, "value": 4, "unit": "w"},
      {"metric": "device_writer_crowding", "labels": {"medium": "cxl"}, "value": 0, "unit": "e"},
      {"metric": "device_reads_slowed_by_writes", "labels": {"medium": "cxl"}, "value": 0.3, "unit": "r"},
      {"metric": "device_writes_slowed_by_reads", "labels": {"medium": "cxl"}, "value": 0.3, "unit": "r"}
      ]
      """;

  @TempDir private Path directory;

  @Test
  void shouldPredictForAMix() throws Exception {
    Path json = directory.resolve("out.json");
    Path page = directory.resolve("page.html");

    CliRun run =
        CliRun.of(
            "whatif",
            "--data=250GiB",
            "--dram=32GiB",
            "--nvram=128GiB",
            "--mix=C",
            "--policy=paper,default",
            "--json=" + json,
            "--report=" + page);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("none", "paper", "default", "per dollar")
        .contains("Modelled: 30 min after 30 min of warm-up.");
    assertThat(Files.readString(json))
        .contains("throughput_ratio", "hit_ratio", "performance_per_price", "medium_written_bytes")
        .contains("medium_write_rate", "modelled_seconds", "settled");
    assertThat(Files.readString(page)).contains("<svg");
  }

  @Test
  void shouldPredictForATraceOnACalibratedMedium() throws Exception {
    Path device = directory.resolve("device.json");
    Files.writeString(device, DEVICE);

    CliRun run = trace("--calibration=" + device);
    CliRun optane = trace("--quiet");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(optane.exitCode()).as(optane.err()).isZero();
    assertThat(run.out()).contains("none", "opencas", "default@40.0%");
    assertThat(line(run, "none")).isEqualTo(line(optane, "none"));
    assertThat(line(run, "opencas")).as("another medium").isNotEqualTo(line(optane, "opencas"));
  }

  private static CliRun trace(String option) {
    return CliRun.of(
        "whatif",
        "--trace=zipf:blocks=20000:reads=60000:writes=0.05",
        "--dram=8MiB",
        "--nvram=32MiB",
        option);
  }

  private static String line(CliRun run, String policy) {
    return run.out()
        .lines()
        .filter(line -> line.contains(" " + policy + " "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldSayWhichPoliciesATraceIsTooShortFor() {
    CliRun run = trace("--policy=paper,cachelib-dynamic-random,alloc-read-write");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("paper *", "cachelib-dynamic-random *", "Modelled: the whole trace")
        .contains("* cachelib-dynamic-random does things by the clock that show after 20 min")
        .doesNotContain("alloc-read-write *");
  }

  @Test
  void shouldListPoliciesWithoutOtherOptions() {
    CliRun run = CliRun.of("whatif", "--list-policies");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("cachelib-dynamic-random").doesNotContain("memory-mode");
  }

  private static void refused(String says, String... options) {
    String[] all = new String[options.length + 1];
    all[0] = "whatif";
    System.arraycopy(options, 0, all, 1, options.length);
    CliRun run = CliRun.of(all);

    assertThat(run.exitCode()).as(String.join(" ", options)).isEqualTo(2);
    assertThat(run.err()).as(String.join(" ", options)).contains(says);
  }

  @Test
  void shouldRefuseSizesThatNoRunCanBeMadeOf() {
    refused("--data is '16MiB'", "--data=16MiB", "--dram=16TiB", "--nvram=1GiB");
    refused(
        "--nvram is '2MiB'; it must be a size from 875MiB to",
        "--data=250GiB",
        "--dram=32GiB",
        "--nvram=2MiB");
    refused("--nvram is '128MiB'", "--data=250GiB", "--dram=32GiB", "--nvram=128MiB");
    refused("its index has to fit into --dram", "--data=250GiB", "--dram=32GiB", "--nvram=16TiB");
    refused("--dram is '1MiB'", "--data=2GiB", "--dram=1MiB", "--nvram=16TiB");
    refused(
        "--page-cache: it leaves no DRAM",
        "--data=250GiB",
        "--dram=32GiB",
        "--nvram=16GiB",
        "--page-cache=32GiB");
    refused(
        "--nvram is '16TiB'",
        "--trace=zipf:blocks=1000:reads=1000",
        "--dram=16TiB",
        "--nvram=16TiB");
  }

  @Test
  void shouldRefuseOptionsThatATraceLeavesNoUseFor() {
    refused("--mix: it is the trace", "--trace=loop", "--dram=1GiB", "--nvram=1GiB", "--mix=Q");
    refused(
        "--distribution: it is the trace",
        "--trace=loop",
        "--dram=1GiB",
        "--nvram=1GiB",
        "--distribution=foo");
  }

  @Test
  void shouldSayWhatIsWrong() throws Exception {
    Path device = directory.resolve("device.json");
    Files.writeString(device, DEVICE.replace("device_writer_crowding", "other"));

    assertThat(CliRun.of("whatif", "--data=2GiB", "--nvram=1GiB").err()).contains("--dram: give");
    assertThat(CliRun.of("whatif", "--data=2GiB", "--dram=1GiB").err()).contains("--nvram: give");
    assertThat(CliRun.of("whatif", "--dram=1GiB", "--nvram=1GiB").err())
        .contains("either the size of the data set or a --trace");
    assertThat(
            CliRun.of(
                    "whatif",
                    "--data=2GiB",
                    "--dram=1GiB",
                    "--nvram=1GiB",
                    "--calibration=" + device)
                .err())
        .contains("device_writer_crowding of the medium 'cxl'");
    assertThat(
            CliRun.of("whatif", "--data=2GiB", "--dram=1GiB", "--nvram=1GiB", "--dram-price=0")
                .err())
        .contains("--dram-price is '0'", "from 0.000001 to");
    assertThat(
            CliRun.of("whatif", "--data=2GiB", "--dram=1GiB", "--nvram=1GiB", "--policy=lru")
                .exitCode())
        .isEqualTo(2);
  }
}
