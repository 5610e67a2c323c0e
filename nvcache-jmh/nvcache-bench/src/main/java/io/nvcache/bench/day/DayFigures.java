// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import java.util.List;
import java.util.Optional;

/**
 * What was measured in a day.
 *
 * @param samples of all engines, each one's in the order of its day
 * @param facts that are not reads
 */
public record DayFigures(List<DaySample> samples, List<DayFact> facts) {
  /** Makes figures with copies of the lists. */
  public DayFigures {
    samples = List.copyOf(samples);
    facts = List.copyOf(facts);
  }

  /** Returns the parts of an engine's day, in their order. */
  List<DaySample> of(DayEngine engine) {
    return samples.stream().filter(sample -> sample.engine() == engine).toList();
  }

  private static Optional<DaySample> sum(List<DaySample> parts) {
    return parts.isEmpty() ? Optional.empty() : Optional.of(DaySample.sum(parts));
  }

  /** Returns an engine's whole day as one sample; empty if it was not measured. */
  Optional<DaySample> day(DayEngine engine) {
    return sum(of(engine));
  }

  private List<DaySample> parts(DayEngine engine, DayPhase phase) {
    return of(engine).stream().filter(sample -> sample.phase() == phase).toList();
  }

  /** Returns a phase as one sample; empty if it was not measured. */
  Optional<DaySample> phase(DayEngine engine, DayPhase phase) {
    return sum(parts(engine, phase));
  }

  /** Returns the turn before a phase as one sample. */
  private Optional<DaySample> before(DayEngine engine, DayPhase phase) {
    return parts(engine, phase).stream()
        .findFirst()
        .flatMap(
            first ->
                sum(of(engine).stream().filter(part -> part.turn() == first.turn() - 1).toList()));
  }

  /** Returns the hit ratio of a phase ÷ the previous turn's, or not a number. */
  double hitsKept(DayEngine engine, DayPhase phase) {
    return phase(engine, phase).map(DaySample::hitRatio).orElse(Double.NaN)
        / before(engine, phase).map(DaySample::hitRatio).orElse(Double.NaN);
  }

  /**
   * Returns the hits that an engine lost to the compaction: those that as many reads had at the hit
   * ratio of the turn before, without those that it had. The reads are as many as the slowest
   * engine's, so that each engine is asked for the same rows.
   */
  double hitsLost(DayEngine engine) {
    List<DaySample> parts = parts(engine, DayPhase.COMPACTING);
    double reads = fewestReads();
    double left = reads;
    double hits = 0;
    for (DaySample part : parts) {
      double share = Math.min(1, left / part.reads());
      hits += share * part.hits();
      left -= share * part.reads();
    }
    double ratio = before(engine, DayPhase.COMPACTING).map(DaySample::hitRatio).orElse(Double.NaN);
    return ratio * reads - hits;
  }

  private double fewestReads() {
    return samples.stream()
        .map(DaySample::engine)
        .distinct()
        .flatMap(engine -> phase(engine, DayPhase.COMPACTING).stream())
        .mapToDouble(DaySample::reads)
        .min()
        .orElse(Double.NaN);
  }
}
