// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockCacheBuilder;
import io.nvcache.PolicyPreset;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.rivals.CumulativeGate;
import io.nvcache.rivals.Rival;
import io.nvcache.rivals.Rival.Policies;
import io.nvcache.trace.replay.TracePolicy.Spending;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The policies that can be named. */
public final class TracePolicies {
  /** The name of the policy that others are compared with at equal writes. */
  static final String DEFAULT = "default";

  private static final List<TracePolicy> OWN =
      List.of(
          paper("paper", 1800),
          paper("paper-20", 20),
          paper("paper-4", 4),
          wiredTiger("wiredtiger", 1800),
          wiredTiger("wiredtiger-20", 20),
          wiredTiger("wiredtiger-4", 4),
          new TracePolicy(
              DEFAULT,
              "what a cache does that is built without naming policies",
              Spending.WITHIN_BUDGET,
              (c, s) -> {}),
          new TracePolicy(
              "admit-all",
              "takes every block, read or written; NVCache's CLOCK",
              Spending.UNBOUNDED,
              (cache, s) -> cache.policies(PolicyPreset.ADMIT_ALL)));

  private static final List<TracePolicy> ALL =
      Stream.of(
              OWN.stream(),
              Rival.all().stream().map(TracePolicies::rival),
              Rival.all().stream().map(TracePolicies::gated))
          .flatMap(policies -> policies)
          .toList();

  /** The same decisions as the default's, but of traces in which files are rewritten. */
  private static final TracePolicy WITH_HEAT =
      new TracePolicy(
          DEFAULT + "-heat",
          "the default, and the heat of rewritten files is carried to their successors",
          Spending.WITHIN_BUDGET,
          TracePolicy.Rewrites.CARRY,
          (c, s) -> {});

  private TracePolicies() {}

  /** All that decide differently on any trace. */
  public static List<TracePolicy> all() {
    return ALL;
  }

  /** All that can be named. */
  public static List<TracePolicy> named() {
    return Stream.concat(ALL.stream(), Stream.of(WITH_HEAT)).toList();
  }

  private static TracePolicy paper(String name, int windowSeconds) {
    return new TracePolicy(
        name,
        "the paper: cumulative OBP, LFRU with a window of " + windowSeconds + " s (SoCC '22)",
        Spending.WITHIN_BUDGET,
        (cache, s) -> lfru(cache.admission(CumulativeGate::countingRemovals), windowSeconds));
  }

  private static TracePolicy rival(Rival rival) {
    return new TracePolicy(
        rival.name(),
        rival.summary(),
        Spending.UNBOUNDED,
        (cache, settings) -> {
          Policies pair = rival.pair(settings.seed());
          cache.admission(pair.admission()).eviction(pair.eviction());
        });
  }

  private static TracePolicy gated(Rival rival) {
    return new TracePolicy(
        "gated-" + rival.name(),
        rival.name() + ", kept to the budget's bytes by a cumulative gate",
        Spending.WITHIN_BUDGET,
        (cache, settings) -> {
          Policies pair = rival.gatedPair(settings.seed());
          cache.admission(pair.admission()).eviction(pair.eviction());
        });
  }

  private static TracePolicy wiredTiger(String name, int windowSeconds) {
    return new TracePolicy(
        name,
        "the paper in WiredTiger's whole percents, LFRU with a window of " + windowSeconds + " s",
        Spending.WITHIN_BUDGET,
        (cache, s) -> lfru(cache.admission(AdmissionPresets.paper()), windowSeconds));
  }

  private static void lfru(BlockCacheBuilder cache, int windowSeconds) {
    cache.eviction(LfruEviction::new).evictionWindow(Duration.ofSeconds(windowSeconds));
  }
}
