// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/**
 * What was measured in a day.
 *
 * @param samples of all engines, each one's in the order of its day
 * @param facts of engines and phases that are not of their reads
 */
public record DayFigures(List<DaySample> samples, List<JsonRecords.Entry> facts) {
  /** Makes figures with copies of the lists. */
  public DayFigures {
    samples = List.copyOf(samples);
    facts = List.copyOf(facts);
  }

  /** Returns these figures with the regions that HBase's balancer moved in its test. */
  public DayFigures withBalancerMoves(long moves) {
    List<JsonRecords.Entry> more = new ArrayList<>(facts);
    Map<String, String> labels =
        Map.of("engine", DayEngine.NVCACHE_FLASH.label(), "phase", "balancer");
    more.add(new JsonRecords.Entry("balancer_moves", labels, (double) moves, "regions"));
    return new DayFigures(samples, more);
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
   * Returns the hits that an engine lost to the compaction: those that its reads until a turn after
   * the end had had at the hit ratio of the turn before, without those that they had.
   */
  double hitsLost(DayEngine engine) {
    return lossOf(engine, (before, during) -> before.hitRatio() * during.reads() - during.hits());
  }

  /** Returns by how much {@link #hitsLost} is off by chance: its standard deviation, in hits. */
  double hitsLostByChance(DayEngine engine) {
    return lossOf(
        engine,
        (before, during) -> {
          double ratio = before.hitRatio();
          double reads = during.reads();
          return Math.sqrt(reads * ratio * (1 - ratio) * (1 + reads / before.reads()));
        });
  }

  private double lossOf(DayEngine engine, ToDoubleBiFunction<DaySample, DaySample> figure) {
    Optional<DaySample> before = before(engine, DayPhase.COMPACTING);
    Optional<DaySample> during = phase(engine, DayPhase.COMPACTING);
    return before.isPresent() && during.isPresent()
        ? figure.applyAsDouble(before.get(), during.get())
        : Double.NaN;
  }
}
