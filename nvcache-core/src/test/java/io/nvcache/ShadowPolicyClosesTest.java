// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.EvictionContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy of a miniature that closes the cache, on whichever thread feeds it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ShadowPolicyClosesTest {
  private static final int LENGTH = 4096;

  private final List<HookedEviction> policies = new CopyOnWriteArrayList<>();
  private final AtomicReference<BlockCache> built = new AtomicReference<>();
  private final CompletableFuture<Integer> closedThen = new CompletableFuture<>();

  /** The cache's own policy comes first. */
  private HookedEviction policy(EvictionContext context) {
    HookedEviction made = new HookedEviction(context);
    if (!policies.isEmpty()) {
      made.hook = call -> close();
    }
    policies.add(made);
    return made;
  }

  private void close() {
    BlockCache cache = built.getAndSet(null);
    if (cache != null) {
      cache.close();
      closedThen.complete(policies.stream().mapToInt(policy -> policy.closed.get()).sum());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotFreeAPolicyThatIsRunning(boolean inBackground) throws Exception {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .nativeMemory(8 << 20)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .smallBypassDramBytes(0)
            .mediumStuckAfter(Duration.ofMinutes(10))
            .admission(AdmissionPresets.admitAll())
            .eviction(this::policy)
            .shadows(0.5);
    BlockCache cache = (inBackground ? builder : builder.maintainedByCaller()).build();
    built.set(cache);
    for (int i = 0; !closedThen.isDone(); i++) {
      cache.offer(1, (long) i * LENGTH, ByteBuffer.allocate(LENGTH), Source.READ);
      if (!inBackground && i % 1000 == 0) {
        cache.control().maintain();
      }
    }
    assertThat(closedThen.get()).as("policies closed by the end of close()").isZero();
    for (HookedEviction policy : policies) {
      while (policy.closed.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(policy.closed).hasValue(1);
    }
  }
}
