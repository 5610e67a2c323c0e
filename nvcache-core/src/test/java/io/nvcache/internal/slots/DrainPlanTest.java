// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compared with a search that looks at each granule of each window. */
final class DrainPlanTest {
  private static final int EXTENT = 120;
  private static final int EXTENTS = 3;

  private enum Kind {
    FREE,
    MOVABLE,
    NO_LOSS,
    FIXED
  }

  private record Piece(int start, int length, Kind kind) {
    int end() {
      return start + length;
    }

    boolean isGiven() {
      return kind == Kind.FREE || kind == Kind.NO_LOSS;
    }
  }

  private static List<Piece> layout(SplittableRandom random) {
    List<Piece> pieces = new ArrayList<>();
    int fixedOf = 1 + random.nextInt(20);
    int start = 0;
    while (start < EXTENT * EXTENTS) {
      int rest = EXTENT - start % EXTENT;
      int length = Math.min(rest, 1 + random.nextInt(15));
      Kind kind = random.nextInt(fixedOf + 1) == 0 ? Kind.FIXED : Kind.values()[random.nextInt(3)];
      pieces.add(new Piece(start, length, kind));
      start += length;
    }
    return pieces;
  }

  private static DrainPlan plan(List<Piece> pieces, int window) {
    DrainPlan plan = new DrainPlan(EXTENT * EXTENTS, window);
    for (Piece piece : pieces) {
      switch (piece.kind) {
        case FREE -> plan.free(piece.start, piece.length);
        case MOVABLE -> plan.movable(piece.start, piece.length);
        case NO_LOSS -> plan.movableWithoutLoss(piece.start, piece.length);
        case FIXED -> {}
      }
    }
    return plan;
  }

  /** What a window costs; -1 if it can't be emptied. */
  private static int lost(List<Piece> pieces, int from, int to) {
    int lost = 0;
    for (Piece piece : pieces) {
      if (piece.start < to && piece.end() > from) {
        if (piece.kind == Kind.FIXED) {
          return -1;
        }
        lost += piece.isGiven() ? 0 : piece.length;
      }
    }
    return lost;
  }

  private static boolean isGiven(List<Piece> pieces, int granule) {
    return pieces.stream()
        .anyMatch(piece -> piece.start <= granule && granule < piece.end() && piece.isGiven());
  }

  /** The least that a window of an extent loses, of those that a plan looks at; -1 if none. */
  private static int least(List<Piece> pieces, int from, int to, int window) {
    int least = -1;
    for (int start = from; start + window <= to; start++) {
      boolean begins = start == from || isGiven(pieces, start - 1) != isGiven(pieces, start);
      int end = start + window;
      boolean ends = end == to || isGiven(pieces, end - 1) != isGiven(pieces, end);
      int lost = begins || ends ? lost(pieces, start, end) : -1;
      if (lost >= 0 && (least < 0 || lost < least)) {
        least = lost;
      }
    }
    return least;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldFindTheWindowThatLosesTheLeast(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 100; round++) {
      List<Piece> pieces = layout(random);
      int window = 1 + random.nextInt(40);
      DrainPlan plan = plan(pieces, window);
      for (int from = 0; from < EXTENT * EXTENTS; from += EXTENT) {
        DrainPlan.Window best = plan.best(from, from + EXTENT);
        int least = least(pieces, from, from + EXTENT, window);
        if (best == null) {
          assertThat(least).as("seed %d, round %d", seed, round).isEqualTo(-1);
        } else {
          assertThat(best.to() - best.from()).isEqualTo(window);
          assertThat(best.from()).isBetween(from, from + EXTENT - window);
          assertThat(lost(pieces, best.from(), best.to()))
              .as("seed %d, round %d", seed, round)
              .isEqualTo(best.lost())
              .isEqualTo(least);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 40})
  void shouldNotChooseTheSameGranulesTwice(int window) {
    DrainPlan plan = new DrainPlan(EXTENT, window);
    plan.movable(0, EXTENT / 2);
    plan.free(EXTENT / 2, EXTENT / 2);
    int chosen = 0;
    int end = EXTENT;
    for (DrainPlan.Window best = plan.best(0, end); best != null; best = plan.best(0, end)) {
      plan.choose(best);
      chosen += window;
      assertThat(chosen).isLessThanOrEqualTo(EXTENT);
    }
    assertThat(chosen).isPositive();
  }
}
