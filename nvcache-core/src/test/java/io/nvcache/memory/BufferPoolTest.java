// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class BufferPoolTest {
  private static final int LONGEST = 64 << 10;
  private static final int ALIGNMENT = 4096;
  private static final long LIMIT = 256 << 10;

  private final BufferPool<AlignedBuffer> pool = BufferPool.ofBuffers(LONGEST, ALIGNMENT, LIMIT);

  /** Takes until the limit is reached. */
  private List<AlignedBuffer> takeAll(int lengthBytes) {
    List<AlignedBuffer> all = new ArrayList<>();
    for (AlignedBuffer next = pool.take(lengthBytes); next != null; next = pool.take(lengthBytes)) {
      all.add(next);
    }
    return all;
  }

  @Test
  void shouldLendAlignedZerosOfThePowerOfTwoThatSuffices() {
    for (int length : new int[] {0, 1, 4096, 4097, 10_000, 32 << 10, LONGEST}) {
      AlignedBuffer buffer = pool.take(length);
      assertThat(buffer.capacityBytes()).isBetween(length, Math.max(4096, 2 * length));
      assertThat(buffer.address() % ALIGNMENT).isZero();
      assertThat(AlignedBuffer.isAligned(buffer.whole(), 0, ALIGNMENT)).isTrue();
      byte[] bytes = new byte[buffer.capacityBytes()];
      buffer.first(bytes.length).get(bytes);
      assertThat(bytes).containsOnly(0);
      pool.giveBack(buffer);
    }
    assertThat(pool.take(LONGEST + 1)).isNull();
  }

  @Test
  void shouldHaveTheLongestOfAnyLength() {
    BufferPool<AlignedBuffer> odd = BufferPool.ofBuffers(70_001, 1, LIMIT);
    AlignedBuffer longest = odd.take(70_001);
    assertThat(longest.capacityBytes()).isEqualTo(70_001);
    odd.giveBack(longest);
    assertThat(odd.take(65_537)).isSameAs(longest);
    assertThat(BufferPool.ofBuffers(100, 1, LIMIT).take(100).capacityBytes()).isEqualTo(4096);
  }

  @Test
  void shouldLendNothingBeyondItsLimit() {
    List<AlignedBuffer> all = takeAll(4096);
    assertThat(all).hasSize((int) (LIMIT / (4096 + ALIGNMENT)));
    assertThat(pool.allocatedBytes()).isEqualTo(LIMIT);
    assertThat(pool.take(LONGEST)).isNull();
    pool.giveBack(all.get(7));
    assertThat(pool.take(1)).isSameAs(all.get(7));
    assertThat(pool.take(1)).isNull();
  }

  @Test
  void shouldLendALongerOneAtItsLimit() {
    List<AlignedBuffer> all = takeAll(LONGEST);
    assertThat(pool.take(LONGEST)).isNull();
    takeAll(4096);
    pool.giveBack(all.get(0));
    AlignedBuffer longer = pool.take(1);
    assertThat(longer).isSameAs(all.get(0));
    pool.giveBack(longer);
    assertThat(pool.take(LONGEST)).as("in its own class again").isSameAs(longer);
  }

  @Test
  void shouldFreeShorterOnesThatNobodyUses_WhenOneIsWantedAtItsLimit() {
    List<AlignedBuffer> all = takeAll(4096);
    all.subList(0, 20).forEach(pool::giveBack);
    assertThat(pool.take(LONGEST)).isNotNull();
    assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(LIMIT);
    all.subList(20, all.size()).forEach(pool::giveBack);
  }

  @Test
  void shouldFreeWhatFindsNoPlace() {
    BufferPool<AlignedBuffer> roomy = BufferPool.ofBuffers(LONGEST, 8, 1 << 30);
    List<AlignedBuffer> all = new ArrayList<>();
    for (int i = 0; i < LendingPool.MOST + 10; i++) {
      all.add(roomy.take(4096));
    }
    all.forEach(roomy::giveBack);
    assertThat(roomy.allocatedBytes()).isEqualTo(LendingPool.MOST * (4096L + 8));
  }

  @Test
  void shouldFreeAllWhenItIsClosed_AndWhatIsLentWhenItIsGivenBack() {
    AlignedBuffer lent = pool.take(4096);
    pool.giveBack(pool.take(LONGEST));
    pool.close();
    assertThat(pool.allocatedBytes()).isEqualTo(4096 + ALIGNMENT);
    pool.giveBack(lent);
    assertThat(pool.allocatedBytes()).isZero();
    assertThat(lent.capacityBytes()).as("nothing leads to freed memory").isZero();
    lent.free();
    assertThat(pool.allocatedBytes()).isZero();
  }

  @Test
  void shouldLeaveToTheCollectorWhatMayBeReadUnseen() throws InterruptedException {
    AlignedBuffer seen = pool.take(4096);
    java.nio.ByteBuffer view = seen.whole().duplicate();
    view.put(0, (byte) 7);
    seen.leaveToCollector();
    seen.free();
    assertThat(view.get(0)).isEqualTo((byte) 7);
    assertThat(pool.allocatedBytes()).as("it counts until it is collected").isPositive();
    seen = null;
    view = null;
    for (int i = 0; i < 100 && pool.allocatedBytes() > 0; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(pool.allocatedBytes()).isZero();
  }

  @Test
  void shouldTakeNoDirectMemoryOfTheJdk() {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(bean -> bean.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    long before = direct.getMemoryUsed();
    BufferPool<AlignedBuffer> large = BufferPool.ofBuffers(64 << 20, 8, 64 << 21);
    AlignedBuffer lent = large.take(64 << 20);
    assertThat(lent).isNotNull();
    assertThat(direct.getMemoryUsed()).isLessThan(before + (32 << 20));
    large.giveBack(lent);
    large.close();
  }

  @Test
  void shouldLendABufferToOneThreadAndStayWithinItsLimit() {
    Set<AlignedBuffer> lent = ConcurrentHashMap.newKeySet();
    AtomicInteger refused = new AtomicInteger();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < 100; thread++) {
      int seed = thread;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < 500; round++) {
                  AlignedBuffer mine = pool.take(1 + (seed * 7_919 + round * 104_729) % LONGEST);
                  if (mine == null) {
                    refused.incrementAndGet();
                    continue;
                  }
                  assertThat(lent.add(mine)).isTrue();
                  Thread.yield();
                  lent.remove(mine);
                  pool.giveBack(mine);
                }
              },
              task -> new Thread(task).start()));
    }
    threads.forEach(CompletableFuture::join);
    assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(LIMIT);
    pool.close();
    assertThat(pool.allocatedBytes()).isZero();
  }
}
