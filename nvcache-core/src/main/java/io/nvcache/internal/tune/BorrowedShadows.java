// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.tune;

import io.nvcache.control.ShadowReport;
import io.nvcache.control.Shadows;
import io.nvcache.internal.settings.SettingChanges;
import io.nvcache.tuning.TargetTuner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The shadows of a cache while they try targets for its tuner. Remembers what they were set to
 * before. Used within {@link SettingChanges#make} only, so that no other thread sets them at the
 * same time.
 */
final class BorrowedShadows {
  /** Five minutes: they are asked once a second. */
  static final int ASKS_PER_SPAN = 300;

  /** Sampled lookups of a span: enough to see that two hit ratios differ by two points. */
  static final int SAMPLES_PER_SPAN = 5_000;

  /** Sampled lookups below which no answer is given. */
  private static final int LEAST_SAMPLES = 1_000;

  private final Shadows shadows;
  private final List<String> candidatesBefore;
  private final double ratioBefore;
  private final Map<String, Double> targets = new LinkedHashMap<>();
  private final double ratio;

  /** What is compared with what they report. */
  private ShadowReport earlier = ShadowReport.OFF;

  /** What takes its place when it is old enough. */
  private ShadowReport next = ShadowReport.OFF;

  private int asksSinceNext;

  /**
   * Has the shadows try the targets, and starts them if they are off.
   *
   * @throws IllegalArgumentException if they can't be started; nothing changes
   */
  BorrowedShadows(Shadows shadows, List<Double> targets) {
    this.shadows = shadows;
    this.candidatesBefore = shadows.candidates();
    this.ratioBefore = shadows.sampleRatio();
    targets.forEach(target -> this.targets.put(candidate(target), target));
    shadows.setCandidates(names());
    if (ratioBefore == 0) {
      startOrRestore();
    }
    this.ratio = shadows.sampleRatio();
  }

  private static String candidate(double target) {
    return String.format(Locale.ROOT, "live@%.3f%%", 100 * target);
  }

  private List<String> names() {
    return List.copyOf(targets.keySet());
  }

  private void startOrRestore() {
    try {
      shadows.chooseSampleRatio();
    } catch (RuntimeException e) {
      shadows.setCandidates(candidatesBefore);
      throw e;
    }
  }

  /** Describes what another caller has set them to since; empty if none has. */
  Optional<String> foreignChange() {
    List<String> candidates = shadows.candidates();
    if (!candidates.equals(names())) {
      return Optional.of("the shadows' candidates were set to " + candidates + "; tuning ends");
    }
    double sample = shadows.sampleRatio();
    if (sample != ratio) {
      return Optional.of(
          String.format(
              Locale.ROOT, "the shadows' sample was set to %.3f %%; tuning ends", 100 * sample));
    }
    return Optional.empty();
  }

  /** Returns what they saw of the targets lately. */
  List<TargetTuner.Prospect> prospects() {
    ShadowReport now = shadows.report();
    List<TargetTuner.Prospect> prospects = new ArrayList<>();
    if (now.sampledLookups() - earlier.sampledLookups() >= LEAST_SAMPLES) {
      Map<String, ShadowReport.Candidate> before = new LinkedHashMap<>();
      earlier.candidates().forEach(candidate -> before.put(candidate.name(), candidate));
      for (ShadowReport.Candidate candidate : now.candidates()) {
        Double target = targets.get(candidate.name());
        ShadowReport.Candidate then = before.get(candidate.name());
        if (target != null && then != null) {
          prospects.add(
              new TargetTuner.Prospect(
                  target,
                  since(candidate.hitRatio(), now, then.hitRatio()),
                  since(candidate.writesPerLookup(), now, then.writesPerLookup())));
        }
      }
    }
    turn(now);
    return prospects;
  }

  /**
   * Lets time pass: what is compared began one to two spans ago, so that it is of this load and
   * long enough to mean something.
   */
  private void turn(ShadowReport now) {
    asksSinceNext++;
    boolean isFirst = next.candidates().isEmpty();
    if (isFirst || now.sampledLookups() < next.sampledLookups()) { // They began anew.
      earlier = now;
      next = now;
      asksSinceNext = 0;
    } else if (asksSinceNext >= ASKS_PER_SPAN
        && now.sampledLookups() - next.sampledLookups() >= SAMPLES_PER_SPAN) {
      earlier = next;
      next = now;
      asksSinceNext = 0;
    }
  }

  private double since(double perLookup, ShadowReport now, double perLookupThen) {
    double sum = perLookup * now.lookups() - perLookupThen * earlier.lookups();
    return Math.max(0, sum / (now.lookups() - earlier.lookups()));
  }

  /**
   * Sets them to what they were set to before. What another caller has set since stays, and its
   * candidates continue running.
   */
  void giveBack() {
    if (!shadows.candidates().equals(names())) {
      return;
    }
    if (ratioBefore == 0 && shadows.sampleRatio() == ratio) {
      shadows.setSampleRatio(0);
    }
    shadows.setCandidates(candidatesBefore);
  }
}
