// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.OfferResult;
import io.nvcache.trace.SyntheticSpec;
import io.nvcache.trace.SyntheticTrace;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceBuilder;
import io.nvcache.trace.TraceFormatException;
import io.nvcache.trace.TraceOp;
import java.util.LinkedHashMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
  private static final int BLOCKS = 4_000;
  private static final long CAPACITY_BYTES = 800L * SyntheticTrace.BLOCK_BYTES;

  private static Trace trace(String spec) {
    try {
      return SyntheticTrace.generate(SyntheticSpec.parse(spec).orElseThrow(), 11);
    } catch (TraceFormatException e) {
      throw new AssertionError(e);
    }
  }

  private static Trace zipf() {
    return trace("zipf:blocks=" + BLOCKS + ":reads=60000");
  }

  private static TracePolicy policy(String name) {
    return TracePolicies.all().stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ReplayResult replay(Trace trace, String policy) {
    ReplaySettings settings = new ReplaySettings(CAPACITY_BYTES, 0.10, 1, 200, 1);
    return new Replay(trace, settings).run(policy(policy), done -> {});
  }

  @Test
  void shouldMatchNaiveLruOnTheRealEngine() {
    Trace trace = zipf();
    int capacity = (int) (CAPACITY_BYTES / SyntheticTrace.BLOCK_BYTES);
    LinkedHashMap<Integer, Boolean> lru = new LinkedHashMap<>(16, 0.75f, true);
    int hits = 0;
    for (int i = 0; i < trace.records(); i++) {
      if (lru.get(trace.block(i)) != null) {
        hits++;
      } else {
        lru.put(trace.block(i), true);
        if (lru.size() > capacity) {
          lru.remove(lru.keySet().iterator().next());
        }
      }
    }
    ReplayResult result = replay(trace, "lru");
    assertThat(result.end().lookups()).isEqualTo(trace.lookups());
    assertThat(result.end().hitRatio())
        .isCloseTo((double) hits / trace.records(), Offset.offset(0.003));
    assertThat(result.end().offers(OfferResult.ADMITTED)).isEqualTo(result.end().misses());
  }

  static Iterable<String> policies() {
    return TracePolicies.all().stream().map(TracePolicy::name).toList();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void shouldGiveTheSameTwice(String name) {
    Trace trace = trace("latest:blocks=" + BLOCKS + ":reads=20000:writes=0.1");
    ReplayResult first = replay(trace, name);
    assertThat(replay(trace, name)).isEqualTo(first);
    assertThat(first.end().lookups()).isEqualTo(20_000);
    assertThat(first.end().usedBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    assertThat(first.windows()).hasSize(100);
    assertThat(first.windows().stream().mapToLong(ReplayResult.Window::hits).sum())
        .isEqualTo(first.end().hits());
    assertThat(first.segments()).hasSize(20);
  }

  /** Blocks 1 to 3 are neighbours, 9 is not; the second round hits all but block 9. */
  @Test
  void shouldCountWhatTheBackendIsAskedFor() {
    TraceBuilder builder = new TraceBuilder();
    for (int round = 0; round < 50; round++) {
      for (int block : new int[] {1, 2, 3, 9}) {
        builder.add(TraceOp.READ, block, block == 9 ? 8192 : 4096);
        if (block == 9) {
          builder.add(TraceOp.FREE, 9, 0);
        }
      }
    }
    ReplayResult result = replay(builder.build(), "lru");
    assertThat(result.end().misses()).isEqualTo(3 + 50);
    assertThat(result.requestsPerLookup() * 200).isCloseTo(1 + 50, Offset.offset(1e-9));
    assertThat(result.fetchedBytesPerLookup() * 200)
        .isCloseTo(3 * 4096 + 50 * 8192, Offset.offset(1e-6));
    assertThat(result.peakFetchedBytesPerLookup()).isEqualTo((4096 + 8192) / 2.0);
    assertThat(result.peakRequestsPerLookup()).isEqualTo(0.5);
    assertThat(result.writtenAtFirstRatio()).isEqualTo(4 / 53.0);
  }

  /** Of 4 KiB to 64 KiB; reject-first and dynamic random as CacheLib has them. */
  @ParameterizedTest
  @ValueSource(strings = {"gated-reject-first", "gated-dynamic-random", "gated-lru"})
  void shouldHoldRivalsToTheBytesOfTheBudget(String name) {
    Trace trace = trace("zipf:blocks=4000:reads=60000:longest=65536");
    long capacity = 400 * trace.meanBlockBytes();
    ReplaySettings settings = new ReplaySettings(capacity, 0.10, 0, 200, 1);
    ReplayResult result = new Replay(trace, settings).run(policy(name), done -> {});
    assertThat(result.budgetSpent(trace.meanBlockBytes())).isBetween(0.05, 0.101);
  }

  @Test
  void shouldKeepThePaperToItsBudget() {
    for (String name : new String[] {"paper", "paper-20", "paper-4"}) {
      ReplayResult result = replay(zipf(), name);
      assertThat(result.writesPerLookup()).as(name).isBetween(0.01, 0.1005);
    }
    // WiredTiger's whole percents let almost a point more pass.
    assertThat(replay(zipf(), "wiredtiger-4").writesPerLookup()).isBetween(0.1005, 0.1105);
  }

  @Test
  void shouldForgetWhatIsWrittenAndFreed() {
    TraceBuilder builder = new TraceBuilder();
    for (int i = 0; i < 1_000; i++) {
      builder.add(TraceOp.READ, 1, 4096);
      builder.add(i % 2 == 0 ? TraceOp.WRITE : TraceOp.FREE, 1, i % 2 == 0 ? 4096 : 0);
    }
    // A policy filled on misses never finds the block again; one that takes written blocks does.
    assertThat(replay(builder.build(), "lru").end().hits()).isZero();
    assertThat(replay(builder.build(), "admit-all").end().hits()).isEqualTo(500);
  }

  @Test
  void shouldLetTheDramTierAnswerFirst() {
    TraceBuilder builder = new TraceBuilder();
    for (int block : new int[] {1, 2, 1, 3, 2, 1, 1}) {
      builder.add(TraceOp.READ, block, 10);
    }
    builder.add(TraceOp.WRITE, 1, 10);
    builder.add(TraceOp.READ, 1, 10);
    Trace passed = DramFilter.apply(builder.build(), 25);
    // Two blocks fit: 1 and 2 miss, 1 hits, 3 pushes 2 out, 2 pushes 1 out, and a write drops 1.
    assertThat(passed.lookups()).isEqualTo(6);
    assertThat(passed.records()).isEqualTo(7);
    assertThat(DramFilter.apply(builder.build(), 0).records()).isEqualTo(9);
  }
}
