// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LendingPoolTest {
  private final AtomicInteger made = new AtomicInteger();
  private final LendingPool<Integer> pool = new LendingPool<>(made::getAndIncrement);

  private Set<Integer> take(int count) {
    Set<Integer> taken = new HashSet<>();
    for (int i = 0; i < count; i++) {
      taken.add(pool.take());
    }
    return taken;
  }

  @Test
  void shouldLendWhatAnotherThreadGaveBack() {
    Set<Integer> first = take(LendingPool.MOST);
    assertThat(first).hasSize(LendingPool.MOST);
    CompletableFuture.runAsync(() -> first.forEach(pool::giveBack)).join();
    assertThat(pool.kept()).isEqualTo(LendingPool.MOST);
    assertThat(take(LendingPool.MOST)).isEqualTo(first);
    assertThat(pool.kept()).isZero();
  }

  @Test
  void shouldKeepNoMoreThanItHasPlacesFor() {
    Set<Integer> first = take(LendingPool.MOST + 5);
    first.forEach(pool::giveBack);
    assertThat(pool.kept()).isEqualTo(LendingPool.MOST);
    take(LendingPool.MOST + 1);
    assertThat(made).hasValue(LendingPool.MOST + 6);
  }

  @Test
  void shouldLendAnObjectToOneThreadAndLoseNone() {
    Set<Integer> lent = ConcurrentHashMap.newKeySet();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < 2 * LendingPool.MOST; thread++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < 2_000; round++) {
                  Integer mine = pool.take();
                  assertThat(lent.add(mine)).isTrue();
                  Thread.yield();
                  lent.remove(mine);
                  pool.giveBack(mine);
                }
              },
              task -> new Thread(task).start()));
    }
    threads.forEach(CompletableFuture::join);
    int kept = pool.kept();
    assertThat(take(kept)).hasSize(kept);
  }
}
