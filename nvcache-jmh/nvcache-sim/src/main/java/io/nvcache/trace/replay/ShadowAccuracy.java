// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.PolicyPreset;
import io.nvcache.control.ShadowReport;
import io.nvcache.control.Shadows;
import io.nvcache.progress.Progress;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds shadows to the truth: replays a trace with shadows on, then once for each setting that they
 * represented, through a real cache of that setting.
 */
public final class ShadowAccuracy {
  private static final Pattern CANDIDATE =
      Pattern.compile("([a-z0-9-]+)(?:@([\\d.]+)%)?(?:\\*([\\d.]+))?");

  private final TraceSettings settings;
  private final OptionalDouble sampleRatio;
  private final List<String> candidates;
  private final Progress progress;

  /**
   * Prepares.
   *
   * @param settings what to replay; of the policies the first
   * @param sampleRatio as {@link io.nvcache.control.Shadows#setSampleRatio(double)} takes it; empty
   *     to have it chosen
   * @param candidates as {@link io.nvcache.control.Shadows#setCandidates(List)} takes them
   */
  public ShadowAccuracy(
      TraceSettings settings,
      OptionalDouble sampleRatio,
      List<String> candidates,
      Progress progress) {
    this.settings = settings;
    this.sampleRatio = sampleRatio;
    this.candidates = List.copyOf(candidates);
    this.progress = progress;
  }

  /**
   * Runs.
   *
   * @throws IOException if a trace can't be read
   */
  public List<ShadowRow> run() throws IOException {
    List<ShadowRow> rows = new ArrayList<>();
    for (TraceSource source : settings.traces()) {
      Trace trace = source.open(settings.format(), settings.seed());
      Trace passed = DramFilter.apply(trace, settings.dram().of(trace.footprintBytes()));
      for (Amount capacity : settings.capacities()) {
        rows.addAll(new Case(source.name(), passed, capacity).run());
      }
    }
    return rows;
  }

  /** One trace at one capacity. */
  private final class Case {
    private final String name;
    private final Trace trace;
    private final Amount capacity;
    private final TracePolicy live = settings.policies().get(0);
    private final double budget = settings.budgets().get(0).value();
    private final List<ShadowRow> rows = new ArrayList<>();

    Case(String name, Trace trace, Amount capacity) {
      this.name = name;
      this.trace = trace;
      this.capacity = capacity;
    }

    List<ShadowRow> run() {
      ShadowReport[] report = {ShadowReport.OFF};
      new Replay(trace, at(1, budget))
          .run(
              live,
              at -> {},
              cache -> {
                Shadows shadows = cache.control().shadows();
                shadows.setCandidates(candidates);
                sampleRatio.ifPresentOrElse(shadows::setSampleRatio, shadows::chooseSampleRatio);
              },
              cache -> report[0] = cache.control().shadows().report());
      ShadowReport said = report[0];
      int steps = said.sizes().size() * 2 + said.candidates().size();
      try (Progress.Phase phase = progress.begin(name + " " + capacity.text(), steps)) {
        for (ShadowReport.Candidate size : said.sizes()) {
          compare(said, "size", size, live, budget, size.sizeFactor());
          phase.at(rows.size(), size.name());
        }
        for (ShadowReport.Candidate candidate : said.candidates()) {
          compareCandidate(said, candidate);
          phase.at(rows.size(), candidate.name());
        }
        for (ShadowReport.Candidate size : said.sizes()) {
          compareLru(said, size.sizeFactor());
          phase.at(rows.size(), "lru");
        }
      }
      return rows;
    }

    private ReplaySettings at(double sizeFactor, double target) {
      long bytes = (long) (capacity.of(trace.footprintBytes()) * sizeFactor);
      long second =
          Math.max(
              1,
              settings.second().of(capacity.of(trace.footprintBytes()) / trace.meanBlockBytes()));
      return new ReplaySettings(
          Math.max(bytes, Replay.leastCapacityBytes(trace.largestSizeBytes())),
          target,
          settings.removalWeight(),
          second,
          settings.placement(),
          settings.seed());
    }

    private void compare(
        ShadowReport said,
        String kind,
        ShadowReport.Candidate candidate,
        TracePolicy policy,
        double target,
        double sizeFactor) {
      ReplayResult real = new Replay(trace, at(sizeFactor, target)).run(policy, at -> {});
      rows.add(
          new ShadowRow(
              name,
              capacity.text(),
              said.sampleRatio(),
              kind,
              candidate.name(),
              real.end().hitRatio(),
              candidate.hitRatio(),
              real.end().writesPerLookup(),
              candidate.writesPerLookup()));
    }

    private void compareCandidate(ShadowReport said, ShadowReport.Candidate candidate) {
      Matcher form = CANDIDATE.matcher(candidate.name());
      if (!form.matches()) {
        throw new IllegalStateException(candidate.name());
      }
      String policyName = form.group(1);
      TracePolicy policy =
          policyName.equals("live")
              ? live
              : new TracePolicy(
                  policyName,
                  "the preset",
                  TracePolicy.Spending.WITHIN_BUDGET,
                  (cache, s) -> cache.policies(PolicyPreset.named(policyName)));
      double target = form.group(2) == null ? budget : Double.parseDouble(form.group(2)) / 100;
      compare(said, "candidate", candidate, policy, target, candidate.sizeFactor());
    }

    private void compareLru(ShadowReport said, double sizeFactor) {
      ShadowReport.Point point =
          said.lru().stream()
              .filter(p -> Math.abs(p.sizeFactor() / sizeFactor - 1) < 1e-6)
              .findFirst()
              .orElseThrow();
      rows.add(
          new ShadowRow(
              name,
              capacity.text(),
              said.sampleRatio(),
              "lru",
              "lru*" + sizeFactor,
              PlainLru.hitRatio(trace, at(sizeFactor, budget).capacityBytes()),
              point.hitRatio(),
              Double.NaN,
              Double.NaN));
    }
  }
}
