// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import io.nvcache.trace.SyntheticSpec;
import io.nvcache.trace.SyntheticTrace;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceBuilder;
import io.nvcache.trace.TraceFormatException;
import io.nvcache.trace.TraceOp;
import io.nvcache.trace.replay.TraceGroup.Cell;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The bounds compared with the best of all ways to serve a short trace. */
class BoundsTest {
  private static final int BLOCKS = 5;
  private static final int SIZE = SyntheticTrace.BLOCK_BYTES;
  private static final int RECORDS = 24;

  private static Trace random(Random random) {
    TraceBuilder trace = new TraceBuilder();
    trace.add(TraceOp.READ, 0, SIZE);
    for (int i = 1; i < RECORDS; i++) {
      TraceOp op = random.nextInt(6) == 0 ? TraceOp.WRITE : TraceOp.READ;
      trace.add(op, random.nextInt(BLOCKS), SIZE);
    }
    return trace.build();
  }

  /** Most hits by writes spent, over all choices of what to hold after each record. */
  private static int best(Trace trace, int capacity, int writes) {
    int sets = 1 << BLOCKS;
    int[][] hits = new int[sets][writes + 1];
    for (int[] row : hits) {
      Arrays.fill(row, Integer.MIN_VALUE);
    }
    hits[0][0] = 0;
    for (int i = 0; i < trace.records(); i++) {
      int bit = 1 << trace.block(i);
      int[][] after = new int[sets][writes + 1];
      for (int[] row : after) {
        Arrays.fill(row, Integer.MIN_VALUE);
      }
      for (int set = 0; set < sets; set++) {
        for (int spent = 0; spent <= writes; spent++) {
          if (hits[set][spent] == Integer.MIN_VALUE) {
            continue;
          }
          boolean lookup = trace.op(i).isLookup();
          boolean hit = lookup && (set & bit) != 0;
          int held = lookup ? set : set & ~bit;
          for (int next = 0; next < sets; next++) {
            int added = next & ~held;
            boolean possible = added == 0 || added == bit;
            int cost = spent + Integer.bitCount(added);
            if (possible && Integer.bitCount(next) <= capacity && cost <= writes) {
              after[next][cost] = Math.max(after[next][cost], hits[set][spent] + (hit ? 1 : 0));
            }
          }
        }
      }
      hits = after;
    }
    return Arrays.stream(hits).flatMapToInt(Arrays::stream).max().orElseThrow();
  }

  @Test
  void shouldFindTheBestWithoutLimitOnWrites() {
    Seeds.each(
        40,
        random -> {
          Trace trace = random(random);
          int capacity = 1 + random.nextInt(3);
          double hits =
              Belady.hitRatio(trace, new FutureUse(trace), (long) capacity * SIZE)
                  * trace.lookups();
          assertThat(hits).isCloseTo(best(trace, capacity, RECORDS), Offset.offset(1e-9));
        });
  }

  @Test
  void shouldNeverBeBelowTheBestWithLimitedWrites() {
    Seeds.each(
        60,
        random -> {
          Trace trace = random(random);
          int capacity = 1 + random.nextInt(3);
          int writes = random.nextInt(6);
          double bound =
              WriteBound.hitRatio(trace, new FutureUse(trace), (long) capacity * SIZE, writes)
                  * trace.lookups();
          assertThat(bound).isGreaterThanOrEqualTo(best(trace, capacity, writes) - 1e-9);
        });
  }

  @Test
  void shouldBeTightWhereTheBestIsPlain() {
    TraceBuilder builder = new TraceBuilder();
    for (int i = 0; i < 1_000; i++) {
      builder.add(TraceOp.READ, i % 2, SIZE);
    }
    Trace trace = builder.build();
    FutureUse future = new FutureUse(trace);
    // Room and writes for one of two blocks that are asked for in turn: 499 hits of 1000.
    assertThat(WriteBound.hitRatio(trace, future, SIZE, 1)).isBetween(0.499, 0.55);
    assertThat(WriteBound.hitRatio(trace, future, 2 * SIZE, 0)).isBetween(0.0, 0.02);
  }

  /** Two blocks are asked for in turn, both fit, and each is worth a write at its first lookup. */
  @Test
  void shouldSayWhatTheBestChoiceDoes() {
    TraceBuilder builder = new TraceBuilder();
    for (int i = 0; i < 1_000; i++) {
      builder.add(TraceOp.READ, i % 2, SIZE);
    }
    Trace trace = builder.build();
    Bounds bounds =
        Bounds.of(trace, new FutureUse(trace), new ReplaySettings(8L * SIZE, 0.10, 0, 100, 1));
    assertThat(bounds.writeBound()).isCloseTo(0.998, Offset.offset(1e-9));
    assertThat(bounds.atBound().hitsPerWrite()).isEqualTo(499);
    assertThat(bounds.atBound().writtenAtFirstRatio()).isEqualTo(1);
  }

  private static Cell cell(Trace trace, ReplaySettings settings, String name) {
    TracePolicy policy =
        TracePolicies.all().stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
    return new Cell(policy, new Replay(trace, settings).run(policy, done -> {}), null);
  }

  @Test
  void shouldSayHowMuchOfTheGapIsClosed() throws TraceFormatException {
    Trace trace =
        SyntheticTrace.generate(
            SyntheticSpec.parse("zipf:blocks=4000:reads=60000").orElseThrow(), 11);
    ReplaySettings settings = new ReplaySettings(800L * SIZE, 0.10, 0, 200, 1);
    Bounds bounds = Bounds.of(trace, new FutureUse(trace), settings);
    List<Cell> cells =
        Stream.of("admit-all", "gated-fifo", "default", "gated-two-hit")
            .map(name -> cell(trace, settings, name))
            .toList();
    Amount any = Amount.number("10%", 0.10);
    TraceGroup group = new TraceGroup("zipf", any, any, 800L * SIZE, 75, bounds, cells);
    Cell rival = group.bestRival();
    assertThat(rival).as("writes more than the budget").isNotSameAs(cells.get(0));
    double best = rival.result().end().hitRatio();
    double ours = cells.get(2).result().end().hitRatio();
    assertThat(group.gapClosed().orElseThrow())
        .isCloseTo((ours - best) / (bounds.writeBound() - best), Offset.offset(1e-9))
        .isLessThan(1);
  }
}
