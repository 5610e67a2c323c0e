// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionChain;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.medium.WriteCost;
import io.nvcache.model.CachePolicy.Trigger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The model decides as a cache does that runs: one recorded stream of calls, both caches. */
class DecisionsTest {
  private static final int BLOCK_BYTES = ModelParameters.PAPER.blockBytes();
  private static final long CAPACITY_BYTES = 32_000_000;
  private static final long FILE_ID = 1;
  private static final Duration WINDOW = Duration.ofSeconds(60);

  /** One call and its answer. */
  private record Call(String method, long number, Source source, long nanos, Object answer) {}

  private final List<Call> calls = new ArrayList<>();

  @Test
  void shouldDecideLikeARunningCacheUnderThePapersPolicies() {
    assertSameDecisions(
        AdmissionPresets.paper(), LfruEviction::new, new WriteCost(1, Integer.MAX_VALUE, 0));
  }

  @Test
  void shouldDecideLikeARunningCacheUnderTheDefaultPolicies() {
    assertSameDecisions(
        AdmissionPresets.standard(), WorthEviction::new, new WriteCost(0, Integer.MAX_VALUE, 0));
  }

  @Test
  void shouldDecideLikeARunningCacheWhereWritesHarmReads() {
    assertSameDecisions(
        AdmissionPresets.standard(),
        WorthEviction::new,
        new WriteCost(0, Integer.MAX_VALUE, WriteCost.OPTANE.harm()));
  }

  private void assertSameDecisions(
      AdmissionFactory admission, EvictionFactory eviction, WriteCost writeCost) {
    CachePolicy policy =
        new CachePolicy(
            AdmissionChain.of(admission),
            eviction,
            WINDOW,
            0.1,
            writeCost,
            256,
            3072,
            BLOCK_BYTES,
            EnumSet.of(Trigger.READ, Trigger.WRITE));
    ModelSystem recorded =
        new ModelSystem(
            "recorded",
            "",
            ModelSystem.Use.CACHE,
            context -> new CacheTier(context, policy, cache -> recording(cache, context)));
    ModelRun.run(
        new Scenario(Workloads.B.lasting(8), recorded, 32, 32, 0, ModelParameters.PAPER, 1000, 7));

    assertThat(calls).hasSizeGreaterThan(50_000);
    assertThat(
            calls.stream()
                .filter(call -> call.method().equals("offer"))
                .map(Call::answer)
                .distinct()
                .count())
        .isGreaterThan(2);
    replay(policy);
  }

  private BlockCache recording(BlockCache cache, TierContext context) {
    return (BlockCache)
        Proxy.newProxyInstance(
            BlockCache.class.getClassLoader(),
            new Class<?>[] {BlockCache.class},
            (proxy, method, arguments) -> {
              long nanos = context.storeNanos();
              Object answer;
              try {
                answer = method.invoke(cache, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              switch (method.getName()) {
                case "get", "invalidate" ->
                    calls.add(
                        new Call(
                            method.getName(), (long) arguments[1], Source.READ, nanos, answer));
                case "offer" ->
                    calls.add(
                        new Call(
                            "offer", (long) arguments[1], (Source) arguments[3], nanos, answer));
                case "maintain" -> calls.add(new Call("maintain", 0, Source.READ, nanos, ""));
                case "dataSet" -> calls.add(new Call("dataSet", 0, Source.READ, nanos, ""));
                default -> {}
              }
              return answer;
            });
  }

  /** On native memory, whose bytes are real, with the clock of the recording. */
  private void replay(CachePolicy policy) {
    AtomicLong clock = new AtomicLong();
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    try (BlockCache cache =
        BlockCache.builder()
            .medium(new MemoryOfWeight(CAPACITY_BYTES, policy.writeCost()))
            .admission(policy.admission())
            .eviction(policy.eviction())
            .evictionWindow(WINDOW)
            .overheadTarget(0.1)
            .smallBypassDramBytes(0)
            .expectedBlockBytes(BLOCK_BYTES)
            .maxBlockBytes(BLOCK_BYTES)
            .hashSeed(7)
            .nanoTime(clock::get)
            .maintainedByCaller()
            .build()) {
      int admitted = 0;
      for (int i = 0; i < calls.size(); i++) {
        Call call = calls.get(i);
        clock.set(call.nanos());
        Object answer =
            switch (call.method()) {
              case "get" -> cache.get(FILE_ID, call.number(), block.clear());
              case "invalidate" -> cache.invalidate(FILE_ID, call.number());
              case "offer" -> cache.offer(FILE_ID, call.number(), block.clear(), call.source());
              case "maintain" -> {
                cache.maintain();
                yield "";
              }
              default -> "";
            };
        assertThat(answer).as("call %d: %s", i, call).isEqualTo(call.answer());
        admitted += answer == io.nvcache.OfferResult.ADMITTED ? 1 : 0;
      }
      assertThat(admitted).isGreaterThan(1000);
    }
  }
}
