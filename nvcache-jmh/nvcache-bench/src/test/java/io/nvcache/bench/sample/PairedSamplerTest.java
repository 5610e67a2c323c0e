// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.bench.contender.Lane;
import io.nvcache.bench.sample.PairedSampler.Side;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PairedSamplerTest {
  private static final KeyWalk WALK = KeyWalk.uniform(IntStream.range(0, 64).toArray(), 1);

  private static List<Lane> lanes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Lane(ByteBuffer.allocate(8), i, count))
        .toList();
  }

  @Test
  void shouldRunBothSidesOnceInEachPairOverTheSameKeys() {
    List<Integer> candidateKeys = new ArrayList<>();
    List<Integer> rawKeys = new ArrayList<>();
    PairedSampler sampler =
        new PairedSampler(recording(candidateKeys), recording(rawKeys), 10, WALK);

    PairedSamples samples = sampler.run(lanes(1), 1_000_000);

    assertThat(samples.pairs()).isPositive();
    int keys = 10 * samples.pairs();
    assertThat(candidateKeys).containsExactlyElementsOf(next(WALK.startingAt(0), keys));
    assertThat(rawKeys)
        .as("keys half a round away")
        .containsExactlyElementsOf(next(WALK.startingAt(0.5), keys));
  }

  private static List<Integer> next(KeyWalk walk, int count) {
    return IntStream.range(0, count).mapToObj(i -> walk.next()).toList();
  }

  private static Side recording(List<Integer> keys) {
    return (walk, lane, operations) -> {
      for (int i = 0; i < operations; i++) {
        keys.add(walk.next());
      }
    };
  }

  @Test
  void shouldTakeTurnsAsTheFirstSide() {
    StringBuilder order = new StringBuilder();
    PairedSampler sampler =
        new PairedSampler(
            (walk, lane, operations) -> order.append('c'),
            (walk, lane, operations) -> order.append('r'),
            1,
            WALK);

    PairedSamples samples = sampler.run(lanes(1), 2_000_000);

    assertThat(order.toString()).startsWith("cr").hasSize(2 * samples.pairs());
    assertThat(order.toString()).matches("(crrc)*(cr)?");
  }

  @Test
  void shouldLeaveEachThreadAloneOnOneOfTheSides() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CyclicBarrier all = new CyclicBarrier(2);
    PairedSampler sampler =
        PairedSampler.togetherAndAlone(
            (walk, lane, operations) -> {
              boolean together = runs.getAndIncrement() % 4 < 2;
              inside.incrementAndGet();
              if (together) {
                meet(all); // Neither gets out before the other is in.
              } else {
                pause(); // Long enough for another to come in, if it may.
                most.accumulateAndGet(inside.get(), Math::max);
              }
              inside.decrementAndGet();
            },
            1,
            WALK);

    sampler.run(lanes(2), 0);

    assertThat(runs).hasValue(4);
    assertThat(most).as("threads inside at once").hasValue(1);
  }

  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldKeepThreadsOnTheSameSide() {
    AtomicInteger inCandidate = new AtomicInteger();
    AtomicInteger inRaw = new AtomicInteger();
    AtomicInteger mixed = new AtomicInteger();
    PairedSampler sampler =
        new PairedSampler(
            exclusive(inCandidate, inRaw, mixed), exclusive(inRaw, inCandidate, mixed), 1, WALK);

    PairedSamples samples = sampler.run(lanes(2), 5_000_000);

    assertThat(samples.pairs()).isPositive();
    assertThat(mixed).hasValue(0);
  }

  private static Side exclusive(AtomicInteger own, AtomicInteger other, AtomicInteger mixed) {
    return (walk, lane, operations) -> {
      own.incrementAndGet();
      if (other.get() != 0) {
        mixed.incrementAndGet();
      }
      own.decrementAndGet();
    };
  }

  @Test
  void shouldEndAllThreadsWhenOneFails() {
    AtomicInteger runs = new AtomicInteger();
    Side failing =
        (walk, lane, operations) -> {
          if (runs.incrementAndGet() == 5) {
            throw new IllegalStateException("wrong");
          }
        };
    PairedSampler sampler = new PairedSampler(failing, (walk, lane, operations) -> {}, 1, WALK);

    assertThatThrownBy(() -> sampler.run(lanes(2), Long.MAX_VALUE / 2))
        .hasStackTraceContaining("wrong");
  }
}
