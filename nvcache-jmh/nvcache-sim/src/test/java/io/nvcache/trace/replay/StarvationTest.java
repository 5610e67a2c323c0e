// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockPlacement;
import io.nvcache.trace.SyntheticSpec;
import io.nvcache.trace.SyntheticTrace;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceFormatException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No load starves the default policy of admissions, whatever was popular before: while hardly a
 * lookup hits, blocks are admitted within ten capacities of lookups.
 */
class StarvationTest {
  private static final int CAPACITY = 1_024;

  /** Of a hundred windows, each of so many capacities of lookups. */
  private static final int CAPACITIES_PER_WINDOW = 1;

  private static final int WINDOWS = 10;
  private static final double HARDLY_ANY_HIT = 0.01;

  private static ReplayResult replay(String spec, BlockPlacement placement, long seed)
      throws TraceFormatException {
    Trace trace = SyntheticTrace.generate(SyntheticSpec.parse(spec).orElseThrow(), seed);
    ReplaySettings settings =
        new ReplaySettings(
            (long) CAPACITY * SyntheticTrace.BLOCK_BYTES, 0.10, 0, CAPACITY / 4, placement, seed);
    return new Replay(trace, settings).run(policy(), done -> {});
  }

  private static TracePolicy policy() {
    return TracePolicies.all().stream()
        .filter(policy -> policy.name().equals(TracePolicies.DEFAULT))
        .findFirst()
        .orElseThrow();
  }

  private static String spec(String kind, SplittableRandom random) {
    long reads = 100L * CAPACITIES_PER_WINDOW * CAPACITY;
    long blocks = (long) (CAPACITY * (0.3 + random.nextDouble()));
    return kind
        + ":reads="
        + reads
        + ":blocks="
        + blocks
        + ":lookups="
        + (2 + random.nextInt(30))
        + ":phases="
        + (2 + random.nextInt(8))
        + ":spread="
        + (5 + random.nextInt(30));
  }

  @ParameterizedTest
  @CsvSource({
    "drift, IN_PLACE", "drift, REGIONS", "shift, IN_PLACE", "shift, REGIONS",
    "hotflat, IN_PLACE", "hotflat, REGIONS", "recent, IN_PLACE", "recent, REGIONS",
  })
  void shouldAdmitWhileHardlyALookupHits(String kind, BlockPlacement placement)
      throws TraceFormatException {
    for (long seed = 1; seed <= 2; seed++) {
      String spec = spec(kind, new SplittableRandom(seed));
      List<ReplayResult.Window> windows = replay(spec, placement, seed).windows();
      int starving = 0;
      for (ReplayResult.Window window : windows) {
        boolean starves = window.writes() == 0 && window.hits() < HARDLY_ANY_HIT * window.lookups();
        starving = starves ? starving + 1 : 0;
        assertThat(starving).as("%s, seed %s", spec, seed).isLessThan(WINDOWS);
      }
    }
  }

  /** The set is a little larger than the cache, so that all residents are worth much at the end. */
  @ParameterizedTest
  @CsvSource({"IN_PLACE", "REGIONS"})
  void shouldAdmitAfterATimeInWhichAllBlocksWereHot(BlockPlacement placement)
      throws TraceFormatException {
    String spec = "hotflat:reads=" + 160 * CAPACITY + ":blocks=" + 1_230 + ":spread=17";
    List<ReplayResult.Window> windows = replay(spec, placement, 1).windows();
    double writes = windows.subList(60, 100).stream().mapToDouble(w -> w.writes()).sum();
    long hits = windows.subList(60, 100).stream().mapToLong(w -> w.hits()).sum();
    assertThat(writes / (64 * CAPACITY)).isGreaterThan(0.01);
    assertThat((double) hits / (64 * CAPACITY)).as("of 0.05").isGreaterThan(0.03);
  }

  /** Of what moves, LRU holds what is alive; past the fill the default does, within its budget. */
  @ParameterizedTest
  @CsvSource({
    "drift:lookups=24:blocks=700, IN_PLACE, 0.93", "drift:lookups=24:blocks=700, REGIONS, 0.83",
    "recent:lookups=12:blocks=400, IN_PLACE, 0.88", "recent:lookups=12:blocks=400, REGIONS, 0.85",
    "shift:phases=8:blocks=700, IN_PLACE, 0.90", "shift:phases=8:blocks=700, REGIONS, 0.85",
  })
  void shouldHitAboutAsLruDoesWherePopularityMoves(
      String load, BlockPlacement placement, double least) throws TraceFormatException {
    List<ReplayResult.Window> windows =
        replay(load + ":reads=" + 150 * CAPACITY, placement, 1).windows();
    long hits = windows.subList(50, 100).stream().mapToLong(w -> w.hits()).sum();
    double writes = windows.subList(50, 100).stream().mapToDouble(w -> w.writes()).sum();
    assertThat((double) hits / (75 * CAPACITY)).isGreaterThan(least);
    assertThat(writes / (75 * CAPACITY)).isLessThan(0.105);
  }
}
