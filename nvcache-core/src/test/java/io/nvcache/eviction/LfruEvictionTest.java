// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One case for each published rule; {@link LfruEvictionModelTest} combines them. */
class LfruEvictionTest extends EvictionContract {
  /** A block without hits has recency 1 in its first sweep and −1800 in this one. */
  private static final int SWEEPS_TO_WINDOW = 1_802;

  private FakeIndex index = new FakeIndex(10, factory());

  @AfterEach
  void close() {
    index.close();
  }

  @Override
  protected EvictionFactory factory() {
    return LfruEviction::new;
  }

  @Override
  protected long metadataBytes(int slots) {
    return 8L * slots;
  }

  @Override
  protected int evictors() {
    return 1;
  }

  /** Sweeps until one block is gone; with a short window and any fill level that takes not long. */
  @Override
  protected int evictOne(FakeIndex index) {
    index.settings.setEvictionWindow(Duration.ofSeconds(1));
    index.settings.setFullTarget(0);
    assertThat(index.policy.victim()).isEqualTo(EvictionPolicy.NO_VICTIM);
    AtomicInteger given = new AtomicInteger(EvictionPolicy.NO_VICTIM);
    index.mayEvict(() -> given.get() == EvictionPolicy.NO_VICTIM);
    for (int i = 0;
        i < 1_000_000 && index.hasEvictable() && given.get() == EvictionPolicy.NO_VICTIM;
        i++) {
      index.policy.sweep(
          new ForwardingSweep(index) {
            @Override
            public boolean evict(int slot) {
              boolean evicted = super.evict(slot);
              if (evicted) {
                given.set(slot);
              }
              return evicted;
            }
          });
    }
    return given.get();
  }

  private List<Integer> sweep(int times) {
    List<Integer> evicted = new ArrayList<>();
    Sweep recording =
        new ForwardingSweep(index) {
          @Override
          public boolean evict(int slot) {
            evicted.add(slot);
            return super.evict(slot);
          }
        };
    for (int i = 0; i < times; i++) {
      index.policy.sweep(recording);
    }
    return evicted;
  }

  private void admit(int slot, int hits) {
    index.admit(slot);
    for (int i = 0; i < hits; i++) {
      index.policy.onHit(slot);
    }
  }

  /** Lets time pass without a full cache: nothing can go, everything can expire. */
  private void age(int sweeps) {
    index.settings.setFullTarget(2);
    assertThat(sweep(sweeps)).isEmpty();
    index.settings.setFullTarget(0);
  }

  @Test
  void shouldEvictOneSecondPastTheWindow() {
    admit(4, 0);
    index.settings.setFullTarget(0);
    assertThat(sweep(SWEEPS_TO_WINDOW)).isEmpty();
    assertThat(sweep(1)).containsExactly(4);
  }

  @ParameterizedTest(name = "{0} hits put it off by {0} s")
  @CsvSource({"1", "2", "19"})
  void shouldPutOffABlockByASecondForEachHit(int hits) {
    admit(4, hits);
    index.settings.setFullTarget(0);
    assertThat(sweep(SWEEPS_TO_WINDOW + hits)).isEmpty();
    assertThat(sweep(1)).containsExactly(4);
  }

  @Test
  void shouldStartTheWindowAgainAtAHit() {
    admit(4, 0);
    index.settings.setFullTarget(0);
    assertThat(sweep(SWEEPS_TO_WINDOW)).isEmpty();
    index.policy.onHit(4);
    assertThat(sweep(SWEEPS_TO_WINDOW)).isEmpty();
    assertThat(sweep(1)).containsExactly(4);
  }

  @Test
  void shouldForgetTheHistoryOfTheSlotsLastBlock() {
    admit(4, 500);
    index.remove(4);
    admit(4, 0);
    index.settings.setFullTarget(0);
    assertThat(sweep(SWEEPS_TO_WINDOW)).isEmpty();
    assertThat(sweep(1)).containsExactly(4);
  }

  @Test
  void shouldReadTheWindowAtEachSweep() {
    admit(4, 0);
    index.settings.setFullTarget(0);
    assertThat(sweep(100)).isEmpty();
    index.settings.setEvictionWindow(Duration.ofSeconds(99));
    assertThat(sweep(1)).isEmpty();
    assertThat(sweep(1)).containsExactly(4);
  }

  @ParameterizedTest(name = "{0} blocks of 20 with the target at {1}: evicts {2}")
  @CsvSource({"18, 0.95, 0", "19, 0.95, 1", "20, 0.95, 2", "9, 0.5, 0", "10, 0.5, 1", "1, 0, 1"})
  void shouldEvictFromTheFullTargetOn(int blocks, double fullTarget, int evicted) {
    index.close();
    index = new FakeIndex(20, factory());
    for (int slot = 0; slot < blocks; slot++) {
      admit(slot, 0);
    }
    age(2_000);
    index.settings.setFullTarget(fullTarget);
    assertThat(sweep(1)).hasSize(evicted);
  }

  @Test
  void shouldEvictInTheOrderOfTheSlots() {
    for (int slot : new int[] {7, 2, 9, 0}) {
      admit(slot, 0);
    }
    age(2_000);
    assertThat(sweep(1)).containsExactly(0, 2, 7, 9);
  }

  @Test
  void shouldEvictThoseWithFewerThanTwentyHitsMoreThanTheFewest() {
    admit(0, 24);
    admit(1, 25);
    admit(2, 5);
    age(2_000);
    assertThat(sweep(1)).containsExactly(0, 2);
    // That pass kept the other for no other reason: the limit rises by a step.
    assertThat(sweep(1)).containsExactly(1);
  }

  @ParameterizedTest(name = "{0} hits: gone in sweep {1}")
  @CsvSource({"999, 1", "1000, 1", "1019, 1", "1020, 2", "1039, 2", "1040, 3"})
  void shouldStartWithALimitOfAThousandAndTwentyReferences(int hits, int sweeps) {
    admit(3, hits);
    age(3_000);
    assertThat(sweep(sweeps - 1)).isEmpty();
    assertThat(sweep(1)).containsExactly(3);
  }

  @Test
  void shouldSkipPinnedBlocksWithoutCountingTheirReferences() {
    admit(0, 3);
    admit(1, 30);
    index.pin(0);
    age(2_000);
    assertThat(sweep(1)).as("30 references; 3 would have lowered the limit").containsExactly(1);
    index.unpin(0);
    assertThat(sweep(1)).as("aged while pinned").containsExactly(0);
  }

  @Test
  void shouldNotRaiseTheLimitWhileAPinnedBlockIsKept() {
    admit(0, 0);
    admit(1, 20);
    admit(2, 0);
    age(2_000);
    index.pin(2);
    assertThat(sweep(1)).containsExactly(0);
    assertThat(sweep(50)).isEmpty();
    index.remove(2);
    assertThat(sweep(1)).as("the pass that raises the limit").isEmpty();
    assertThat(sweep(1)).containsExactly(1);
  }

  @Test
  void shouldNotRaiseTheLimitWhenAnEvictionIsRefused() {
    admit(0, 0);
    admit(1, 20);
    age(2_000);
    Sweep refusing =
        new ForwardingSweep(index) {
          @Override
          public boolean evict(int slot) {
            return false;
          }
        };
    index.policy.sweep(refusing);
    assertThat(sweep(1)).containsExactly(0);
    assertThat(sweep(1)).containsExactly(1);
  }

  @Test
  void shouldEvictNothingWhileOverheadIsHigh() {
    admit(0, 0);
    admit(1, 20);
    age(2_000);
    index.mayEvict(() -> false);
    assertThat(sweep(50)).isEmpty();
    index.mayEvict(() -> true);
    // Nor did the limit rise meanwhile: the pass that evicts 0 is the first to raise it.
    assertThat(sweep(1)).containsExactly(0);
    assertThat(sweep(1)).containsExactly(1);
  }

  @Test
  void shouldNotRaiseTheLimitWhenOverheadIsHighAndNobodyIsACandidate() {
    admit(0, 1_020);
    age(3_000);
    index.mayEvict(() -> false);
    assertThat(sweep(50)).isEmpty();
    index.mayEvict(() -> true);
    assertThat(sweep(1)).isEmpty();
    assertThat(sweep(1)).containsExactly(0);
  }

  @Test
  void shouldStopWhereItsOwnEvictionsMakeOverheadHigh() {
    for (int slot = 0; slot < 5; slot++) {
      admit(slot, 0);
    }
    age(2_000);
    index.mayEvict(() -> index.resident() > 3);
    assertThat(sweep(1)).containsExactly(0, 1);
  }

  @Test
  void shouldAskAboutOverheadOnlyForCandidates() {
    AtomicInteger asked = new AtomicInteger();
    for (int slot = 0; slot < 10; slot++) {
      admit(slot, slot < 2 ? 0 : 5_000);
    }
    age(2_000);
    index.mayEvict(() -> asked.incrementAndGet() > 10);
    assertThat(sweep(1)).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void shouldSpreadAPassOverCallsAndStillCountSeconds() {
    index.close();
    index = new FakeIndex(10, context -> new LfruEviction(context, 4));
    index.settings.setEvictionWindow(Duration.ofSeconds(20));
    index.settings.setFullTarget(0);
    for (int slot : new int[] {1, 5, 9}) {
      admit(slot, 0);
    }
    // Recency reaches −21 in the 23rd call, the second of the eighth pass of three.
    assertThat(sweep(22)).isEmpty();
    assertThat(sweep(1)).containsExactly(5);
    assertThat(sweep(1)).containsExactly(9);
    assertThat(sweep(1)).containsExactly(1);
  }

  @Test
  void shouldRaiseTheLimitOnceAPassNotOnceACall() {
    index.close();
    index = new FakeIndex(10, context -> new LfruEviction(context, 4));
    admit(0, 1_020);
    age(3_000);
    // Passes of three calls; blocks in slot 0 are seen in the first call of each.
    assertThat(sweep(3)).isEmpty();
    assertThat(sweep(1)).containsExactly(0);
  }

  @Test
  void shouldStopCountingAtTheLimit() {
    int limit = 1 << 24;
    admit(0, limit + 1_000);
    index.settings.setFullTarget(0);
    index.settings.setEvictionWindow(Duration.ofSeconds(1));
    // Met at recency 2^24, it would wait 1000 seconds longer if hits were counted on.
    assertThat(sweep(limit + 2)).isEmpty();
    assertThat(sweep(1)).containsExactly(0);
  }

  /** Hands everything on to an index. */
  private abstract static class ForwardingSweep implements Sweep {
    private final FakeIndex index;

    ForwardingSweep(FakeIndex index) {
      this.index = index;
    }

    @Override
    public long usedBytes() {
      return index.usedBytes();
    }

    @Override
    public long capacityBytes() {
      return index.capacityBytes();
    }

    @Override
    public boolean mayEvict() {
      return index.mayEvict();
    }

    @Override
    public boolean pinned(int slot) {
      return index.pinned(slot);
    }

    @Override
    public boolean evict(int slot) {
      return index.evict(slot);
    }
  }
}
