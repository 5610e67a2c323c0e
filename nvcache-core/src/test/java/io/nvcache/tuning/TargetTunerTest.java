// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tuner on a made-up medium and made-up loads, whose best target is known. */
final class TargetTunerTest {
  private static final double BLOCK_BYTES = 16 << 10;
  private static final TuningBounds BOUNDS = new TuningBounds(0.005, 1, Duration.ofNanos(100_000));

  /**
   * A load: hits rise with writes and level off, as with any policy that writes the best blocks
   * first.
   */
  private record Load(double mostHits, double scale, double wanted, double lookupsPerSecond) {
    double hits(double target) {
      return mostHits * (1 - Math.exp(-writes(target) / scale));
    }

    /** Beyond what is wanted, a higher target changes nothing. */
    double writes(double target) {
      return wanted * (1 - Math.exp(-target / wanted));
    }
  }

  /** What reads of a medium take, in nanoseconds a byte, next to bytes that are written. */
  private interface Medium {
    double read(double writtenBytesPerSecond);

    static Medium linear(double readNanosPerByte, double slowdownPerByte) {
      return written -> readNanosPerByte * (1 + slowdownPerByte * written);
    }
  }

  private static double cost(Load load, Medium medium, double target) {
    double hits = load.hits(target);
    double written = load.writes(target) * BLOCK_BYTES * load.lookupsPerSecond;
    return (1 - hits) * BOUNDS.missCost().toNanos() + hits * BLOCK_BYTES * medium.read(written);
  }

  private static double bestStaticCost(Load load, Medium medium) {
    double best = Double.MAX_VALUE;
    for (double target = BOUNDS.leastTarget(); target <= BOUNDS.mostTarget(); target *= 1.02) {
      best = Math.min(best, cost(load, medium, target));
    }
    return best;
  }

  /** A run of the tuner in its world. */
  private static final class World {
    private final Random random;
    private final double noise;
    private final List<Double> changes = new ArrayList<>();
    private double target = 0.10;
    private final TargetTuner tuner = new TargetTuner(BOUNDS, target);

    World(long seed, double noise) {
      this.random = new Random(seed);
      this.noise = noise;
    }

    private double noisy(double value) {
      return value * Math.max(0.2, 1 + noise * random.nextGaussian());
    }

    void pass(int seconds, Load load, Medium medium) {
      for (int i = 0; i < seconds; i++) {
        double written = noisy(load.writes(target) * BLOCK_BYTES * load.lookupsPerSecond);
        List<TargetTuner.Prospect> prospects =
            tuner.targets().stream()
                .map(t -> new TargetTuner.Prospect(t, load.hits(t), noisy(load.writes(t))))
                .toList();
        OptionalDouble moved =
            tuner.second(
                new TargetTuner.Second(
                    noisy(medium.read(written)), written, load.lookupsPerSecond, BLOCK_BYTES),
                target,
                prospects);
        if (moved.isPresent()) {
          target = moved.getAsDouble();
          changes.add(target);
        }
        assertThat(target).isBetween(BOUNDS.leastTarget(), BOUNDS.mostTarget());
      }
    }
  }

  private static final Medium OPTANE_LIKE = Medium.linear(0.15, 4e-9);

  static Stream<Arguments> loads() {
    return Stream.of(
        Arguments.of("scarce hits", new Load(0.3, 0.10, 0.6, 20_000)),
        Arguments.of("hot set", new Load(0.9, 0.02, 0.4, 30_000)),
        Arguments.of("slow to pay", new Load(0.6, 0.3, 1.0, 10_000)),
        Arguments.of("heavy load", new Load(0.7, 0.05, 0.8, 80_000)),
        Arguments.of("light load", new Load(0.7, 0.05, 0.8, 500)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("loads")
  void shouldLandWithinATenthOfTheBestStaticTarget(String name, Load load) {
    for (long seed = 1; seed <= 10; seed++) {
      World world = new World(seed, 0.15);
      world.pass(600, load, OPTANE_LIKE);

      assertThat(cost(load, OPTANE_LIKE, world.target))
          .as("%s, seed %d, target %s: %s", name, seed, world.target, world.tuner.report())
          .isLessThanOrEqualTo(1.10 * bestStaticCost(load, OPTANE_LIKE));
    }
  }

  @Test
  void shouldEndByItselfWhereWritesDoNotSlowReads() {
    for (long seed = 1; seed <= 10; seed++) {
      World world = new World(seed, 0.05);
      world.pass(600, new Load(0.7, 0.05, 0.8, 30_000), Medium.linear(0.15, 0));

      assertThat(world.tuner.report().state())
          .as("seed %d: %s", seed, world.tuner.report())
          .isEqualTo(TuningReport.State.NO_INTERFERENCE);
      assertThat(world.target).isEqualTo(BOUNDS.mostTarget());
    }
  }

  /** By a fifth at the rate of the upper bound: noise must not be taken for harmlessness. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.15, 0.3})
  void shouldNotEnd_HoweverNoisyReadsAre(double noise) {
    Load load = new Load(0.7, 0.05, 0.8, 30_000);
    double most = load.writes(BOUNDS.mostTarget()) * BLOCK_BYTES * load.lookupsPerSecond;
    for (long seed = 1; seed <= 50; seed++) {
      World world = new World(seed, noise);
      world.pass(600, load, Medium.linear(0.15, 0.2 / most));

      assertThat(world.tuner.report().state())
          .as("seed %d: %s", seed, world.tuner.report())
          .isEqualTo(TuningReport.State.STEERING);
    }
  }

  /** A line through the reads of a medium that saturates begins below 0. */
  @Test
  void shouldNotTakeAMediumThatSaturatesForAHarmlessOne() {
    Load load = new Load(0.7, 0.05, 0.8, 30_000);
    double most = load.writes(BOUNDS.mostTarget()) * BLOCK_BYTES * load.lookupsPerSecond;
    for (long seed = 1; seed <= 10; seed++) {
      World world = new World(seed, 0.05);
      world.pass(600, load, written -> 0.15 * (1 + 50 * Math.pow(written / most, 4)));

      assertThat(world.tuner.report().state())
          .as("seed %d: %s", seed, world.tuner.report())
          .isEqualTo(TuningReport.State.STEERING);
      assertThat(world.target).isLessThan(BOUNDS.mostTarget());
    }
  }

  @Test
  void shouldEndWhereItBegan_WhenNoReadOfTheMediumSucceeds() {
    World world = new World(7, 0.1);
    world.pass(400, new Load(0.7, 0.05, 0.8, 30_000), written -> Double.NaN);

    assertThat(world.tuner.report().state()).isEqualTo(TuningReport.State.OFF);
    assertThat(world.tuner.report().reason()).contains("no test read");
    assertThat(world.target).isEqualTo(0.10);
  }

  @Test
  void shouldHoldStillOnceItHasLanded() {
    World world = new World(3, 0.15);
    Load load = new Load(0.7, 0.05, 0.8, 80_000);
    world.pass(600, load, OPTANE_LIKE);
    int landed = world.changes.size();
    world.pass(3_600, load, OPTANE_LIKE);

    assertThat(world.changes.size() - landed).as("changes in an hour").isLessThanOrEqualTo(6);
  }

  @Test
  void shouldFollowALoadThatChanges() {
    World world = new World(4, 0.10);
    Load before = new Load(0.7, 0.05, 0.8, 80_000);
    Load after = new Load(0.6, 0.3, 1.0, 2_000);
    world.pass(600, before, OPTANE_LIKE);
    double first = world.target;
    world.pass(600, after, OPTANE_LIKE);

    assertThat(world.target).isGreaterThan(first);
    assertThat(cost(after, OPTANE_LIKE, world.target))
        .isLessThanOrEqualTo(1.10 * bestStaticCost(after, OPTANE_LIKE));
  }

  @Test
  void shouldGoOnExploringWhereNothingIsWritten() {
    World world = new World(5, 0.1);
    world.pass(1_000, new Load(0.5, 0.1, 1e-12, 0), OPTANE_LIKE);

    assertThat(world.tuner.report().state()).isEqualTo(TuningReport.State.EXPLORING);
    assertThat(world.tuner.report().reason()).isNotEmpty();
  }

  @Test
  void shouldEndWhenSomebodyElseSetsTheTarget() {
    World world = new World(6, 0.1);
    Load load = new Load(0.7, 0.05, 0.8, 80_000);
    world.pass(600, load, OPTANE_LIKE);
    assertThat(world.tuner.report().state()).isEqualTo(TuningReport.State.STEERING);
    int changes = world.changes.size();

    world.target = 0.77;
    world.pass(600, load, OPTANE_LIKE);

    TuningReport report = world.tuner.report();
    assertThat(report.state()).as(report.toString()).isEqualTo(TuningReport.State.OFF);
    assertThat(report.reason()).contains("set to 77.00 %");
    assertThat(world.tuner.isOver()).isTrue();
    assertThat(world.changes).hasSize(changes);
    assertThat(world.target).isEqualTo(0.77);
  }

  @ParameterizedTest
  @CsvSource({"0.001, 0.0010051, 2", "0.0010049, 0.00101, 2", "0.001, 0.001004, 1", "0.1, 10, 7"})
  void shouldKeepItsTargetsApartAndWithinBounds(double least, double most, int count) {
    List<Double> targets =
        new TargetTuner(new TuningBounds(least, most, BOUNDS.missCost()), 0.1).targets();

    assertThat(targets)
        .hasSize(count)
        .doesNotHaveDuplicates()
        .isSorted()
        .allSatisfy(target -> assertThat(target).isBetween(least, most));
  }

  @Test
  void shouldSpreadItsTargetsFromBoundToBound() {
    List<Double> targets = new TargetTuner(BOUNDS, 0.1).targets();

    assertThat(targets).isSorted().startsWith(0.005).endsWith(1.0).hasSizeLessThanOrEqualTo(8);
  }
}
