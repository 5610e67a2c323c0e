// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
}
