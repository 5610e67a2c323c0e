// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.kit.OptionReader;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.WorkloadChoice;
import io.nvcache.ycsb.WorkloadChoice.Distribution;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of what is run and where. */
final class ScenarioOptions {
  @Option(
      names = "--workload",
      paramLabel = "LIST",
      defaultValue = "C,A",
      description = "Workloads, A to F, between commas. Default: ${DEFAULT-VALUE}.")
  private String workloads = "";

  @Option(
      names = "--policies",
      paramLabel = "LIST",
      defaultValue = "none,admit-all,paper,default",
      description = "What to compare, between commas. Default: ${DEFAULT-VALUE}.")
  private String policies = "";

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      description = "zipfian, uniform or latest. Default: as YCSB has it for each workload.")
  private @Nullable String distribution;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description =
          "Where the data is put, in its own directory, which is removed at the end; best on a"
              + " real disk. Default: ./target if there is one, else the system's temporary"
              + " directory.")
  private @Nullable Path directory;

  List<WorkloadChoice> workloads(OptionReader reader) {
    return reader.listOf("--workload", workloads, WorkloadChoice.values(), WorkloadChoice::name);
  }

  List<PolicyChoice> policies(OptionReader reader) {
    return reader.listOf("--policies", policies, PolicyChoice.values(), PolicyChoice::label);
  }

  @Nullable Distribution distribution(OptionReader reader) {
    return distribution == null
        ? null
        : reader.oneOf("--distribution", distribution, Distribution.values(), Distribution::label);
  }

  Path directory(OptionReader reader) {
    if (directory == null) {
      Path target = Path.of("target");
      return Files.isDirectory(target) && Files.isWritable(target)
          ? target
          : Path.of(System.getProperty("java.io.tmpdir"));
    }
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw reader.bad(
          "--directory", directory.toString(), "a directory that exists and can be written to");
    }
    return directory;
  }
}
