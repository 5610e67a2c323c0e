// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
            "--data=2GiB",
            "--dram=256MiB",
            "--nvram=1GiB",
            "--mix=C",
            "--policy=paper,default",
            "--json=" + json,
            "--report=" + page);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("none", "paper", "default", "per dollar");
    assertThat(Files.readString(json))
        .contains("throughput_ratio", "hit_ratio", "performance_per_price", "medium_written_bytes");
    assertThat(Files.readString(page)).contains("<svg");
  }

  @Test
  void shouldPredictForATraceOnACalibratedMedium() throws Exception {
    Path device = directory.resolve("device.json");
    Files.writeString(device, DEVICE);

    CliRun run =
        CliRun.of(
            "whatif",
            "--trace=zipf:blocks=20000:reads=60000:writes=0.05",
            "--dram=8MiB",
            "--nvram=32MiB",
            "--calibration=" + device);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("none", "opencas");
  }

  @Test
  void shouldSayWhatIsWrong() throws Exception {
    Path device = directory.resolve("device.json");
    Files.writeString(device, DEVICE.replace("device_writer_crowding", "other"));

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
        .contains("--dram-price is '0'");
    assertThat(
            CliRun.of("whatif", "--data=2GiB", "--dram=1GiB", "--nvram=1GiB", "--policy=lru")
                .exitCode())
        .isEqualTo(2);
  }
}
