// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A medium that calls its cache while the cache calls it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MediumReentryTest {
  private static final int LENGTH = 4096;

  private final AtomicLong now = new AtomicLong();
  private final AtomicBoolean called = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The method that calls the cache, once; none while it is empty. */
  private String within = "";

  private Consumer<BlockCache> reentry = cache -> {};
  private BlockCache cache;

  private BlockCache build() {
    NativeMedium inner = NativeMedium.allocate(1 << 20);
    Medium medium =
        (Medium)
            Proxy.newProxyInstance(
                Medium.class.getClassLoader(),
                new Class<?>[] {Medium.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("address")) {
                    return 0L; // So that reads come here, too.
                  }
                  if (method.getName().equals(within) && called.compareAndSet(false, true)) {
                    reentry.accept(cache);
                  }
                  if (method.getName().equals("close")) {
                    closed.set(true);
                  }
                  try {
                    return method.invoke(inner, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LENGTH)
            .policies(PolicyPreset.ADMIT_ALL)
            .smallBypassDramBytes(0)
            .mediumStuckAfter(Duration.ofMinutes(10))
            .testing(TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .build();
    return cache;
  }

  private OfferResult offer(int block) {
    return cache.offer(1, (long) block * LENGTH, ByteBuffer.allocate(LENGTH), Source.READ);
  }

  private int get(int block) {
    return cache.get(1, (long) block * LENGTH, ByteBuffer.allocate(LENGTH));
  }

  private void callAll() {
    offer(1);
    get(1);
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    cache.control().maintain();
    offer(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "write", "check"})
  void shouldBeClosedWithoutWaitingForTheCallThatClosesIt(String method) {
    build();
    reentry = BlockCache::close;
    within = method;
    callAll();
    assertThat(called).as("closed from inside, with a patience of ten minutes").isTrue();
    assertThat(offer(3)).isEqualTo(OfferResult.CLOSED);
    while (!closed.get()) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @CsvSource({"read", "write", "check"})
  void shouldBeLetIn(String method) {
    try (BlockCache open = build()) {
      reentry =
          same -> {
            assertThat(offer(7)).isEqualTo(OfferResult.ADMITTED);
            assertThat(get(7)).isEqualTo(LENGTH);
            assertThat(open.control().walk().next()).isTrue();
            assertThat(open.invalidate(1, 7L * LENGTH)).isTrue();
            open.invalidateFile(2);
          };
      within = method;
      callAll();
      assertThat(called).isTrue();
      assertThat(open.stats().blocks()).isEqualTo(2);
      assertThat(open.stats().mediumFailures()).isZero();
      assertThat(open.control().health().inService()).isTrue();
    }
  }
}
