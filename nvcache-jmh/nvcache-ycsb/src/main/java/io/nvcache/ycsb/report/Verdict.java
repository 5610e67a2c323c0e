// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.report.Figures;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.PairedRatio;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.WorkloadResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a comparison came to, in words; ratios only where the rounds agree on them. */
public final class Verdict {
  private static final List<PolicyChoice> ADMISSION =
      List.of(PolicyChoice.ADMIT_ALL, PolicyChoice.DEFAULT);

  private Verdict() {}

  /** The order of the policies, and what admitting less is worth. */
  public static List<String> of(WorkloadResult workload) {
    List<String> sentences = new ArrayList<>();
    sentences.add(order(workload));
    Optional<PolicyResult> all = policy(workload, PolicyChoice.ADMIT_ALL);
    Optional<PolicyResult> ours = policy(workload, PolicyChoice.DEFAULT);
    if (all.isPresent() && ours.isPresent()) {
      sentences.add("default against admit-all: " + words(workload.speed(ours.get(), all.get())));
    }
    return List.copyOf(sentences);
  }

  private static String order(WorkloadResult workload) {
    return workload.ranks().stream()
        .map(Verdict::labels)
        .collect(Collectors.joining(" > ", "fastest first: ", ""));
  }

  private static String labels(List<PolicyResult> tied) {
    // Which of them came first is chance; their order is not.
    return tied.stream()
        .map(PolicyResult::policy)
        .sorted()
        .map(PolicyChoice::label)
        .collect(Collectors.joining(" = "));
  }

  private static String words(PairedRatio ratio) {
    String spread = " (" + Figures.range(ratio.low(), ratio.high()) + ")";
    return (ratio.isClear() ? Figures.times(ratio.median()) : "no clear difference") + spread;
  }

  /** Where a second tier gained most and where its admission did, or that they gained nowhere. */
  public static List<String> best(BenchmarkResult result) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        most(result, Verdict::fastestToNone)
            .map(gain -> "A second tier gained most here in " + gain + " the speed without.")
            .orElse(
                "No gain: on this machine no second tier was clearly faster than none. With a"
                    + " slower disk or less DRAM it would be; scripts/reproduce --figure systems"
                    + " shows the paper's machine."));
    if (result.settings().policies().containsAll(ADMISSION)) {
      sentences.add(
          most(result, Verdict::ownToAll)
              .map(gain -> "What is admitted matters most in " + gain + " the speed of admit-all.")
              .orElse(
                  "Admitting everything is as good on these media, where writes cost little;"
                      + " --medium emulated-nvram shows one where they hurt."));
    }
    return List.copyOf(sentences);
  }

  /** A policy of one workload, and a clear ratio above 1. */
  private record Gain(WorkloadResult workload, PolicyResult policy, PairedRatio ratio) {
    @Override
    public String toString() {
      return "YCSB %s on %s with %s: %s"
          .formatted(
              workload.workload(),
              workload.medium().title(),
              policy.policy().label(),
              Figures.times(ratio.median()));
    }
  }

  private static Optional<Gain> most(
      BenchmarkResult result, Function<WorkloadResult, Stream<Gain>> gains) {
    return result.workloads().stream()
        .flatMap(gains)
        .filter(gain -> gain.ratio.isClear() && gain.ratio.median() > 1)
        .max(Comparator.comparingDouble(gain -> gain.ratio.median()));
  }

  private static Stream<Gain> fastestToNone(WorkloadResult workload) {
    return workload.policies().stream()
        .flatMap(
            policy ->
                workload.speedToNone(policy).stream()
                    .map(ratio -> new Gain(workload, policy, ratio)));
  }

  private static Stream<Gain> ownToAll(WorkloadResult workload) {
    return policy(workload, PolicyChoice.DEFAULT).stream()
        .flatMap(
            ours ->
                policy(workload, PolicyChoice.ADMIT_ALL).stream()
                    .map(all -> new Gain(workload, ours, workload.speed(ours, all))));
  }

  private static Optional<PolicyResult> policy(WorkloadResult workload, PolicyChoice choice) {
    return workload.policies().stream().filter(policy -> policy.policy() == choice).findFirst();
  }
}
