// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What the hook costs, as ratios of a read with the agent to the same read without it, in processor
 * time. Only that each run was what it claims to be is checked; times depend on the machine.
 */
class HookCostIT {
  private static final String SETTINGS =
      "nvcache.capacity.bytes=33554432,nvcache.policies=admit-all,nvcache.overhead.target=10,"
          + "nvcache.smallbypass.dram.bytes=0,nvcache.summary.seconds=0";

  @Test
  void shouldMeasureEachWayThroughTheHook() throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.NEWEST, "hook");
    Map<String, Double> without = run(options);
    Map<String, Double> with = run(options.withAgent(SETTINGS));
    for (HookBenchmark.Way way : HookBenchmark.Way.values()) {
      System.out.printf(
          Locale.ROOT,
          "hook, %s: %.0f ns of CPU with the agent, %.0f ns without, ratio %.2f%n",
          way,
          with.get(way.name()),
          without.get(way.name()),
          with.get(way.name()) / without.get(way.name()));
    }
  }

  private static Map<String, Double> run(NodeOptions options) throws Exception {
    options.writeFiles();
    List<String> command =
        options.command(
            HookCost.class.getName(), File.pathSeparator + System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(command)
            .directory(options.directory().toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    Map<String, Double> costs = new HashMap<>();
    output
        .lines()
        .filter(line -> line.startsWith("COST "))
        .map(line -> line.split(" ", -1))
        .forEach(words -> costs.put(words[1], Double.parseDouble(words[2])));
    assertThat(costs).as(output).hasSize(HookBenchmark.Way.values().length);
    return costs;
  }
}
