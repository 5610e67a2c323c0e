// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.control.CacheControl;
import io.nvcache.control.DataSet;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.CachePolicy;
import io.nvcache.model.tier.CacheTier;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import io.nvcache.model.tier.TierContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The model decides as a cache does that runs: one recorded stream of calls, both caches, with the
 * policies that the systems {@code paper} and {@code default} have.
 */
class DecisionsTest {
  private static final int BLOCK_BYTES = ModelParameters.PAPER.blockBytes();
  private static final int SCALE = 1000;
  private static final long FILE_ID = 1;
  private static final long SEED = 7;
  private static final double DRAM_GB = 32;
  private static final double NVRAM_GB = 32;

  /** Small when it begins: half of it fits into DRAM. Inserts make it grow. */
  private static final Workload GROWING = Workloads.D.sized("growing", 63.9, 2).lasting(8);

  /**
   * One call and its answer.
   *
   * @param number the block's offset, or the length of the file
   * @param writers of the medium at that moment
   */
  private record Call(
      String method, long number, Source source, long nanos, int writers, Object answer) {}

  private final List<Call> calls = new ArrayList<>();

  @Test
  void shouldDecideLikeARunningCacheUnderThePapersPolicies() {
    assertThat(decisions(Systems::paperPolicy, Workloads.B.lasting(8)))
        .containsKeys(OfferResult.ADMITTED, OfferResult.BYPASSED_OVERHEAD);
  }

  @Test
  void shouldDecideLikeARunningCacheUnderTheDefaultPolicies() {
    assertThat(decisions(Systems::standardPolicy, Workloads.B.lasting(8)))
        .containsKeys(OfferResult.ADMITTED, OfferResult.NOT_WORTH_IT);
  }

  @Test
  void shouldDecideLikeARunningCacheWhileTheDataSetOutgrowsTheSmallBypass() {
    assertThat(decisions(Systems::paperPolicy, GROWING))
        .containsKeys(OfferResult.ADMITTED, OfferResult.BYPASSED_SMALL);
  }

  @Test
  void shouldDecideLikeARunningCacheWhereAsManyWriteAsTheMediumBears() {
    decisions(Systems::standardPolicy, Workloads.A.lasting(8));

    assertThat(calls.stream().filter(call -> call.method().equals("offer")))
        .as("the bound of writers decides, too")
        .anyMatch(call -> call.writers() >= 2)
        .anyMatch(call -> call.writers() < 2);
  }

  /** Records a run, asserts that the replay answers alike, and tells how offers ended. */
  private Map<OfferResult, Integer> decisions(
      Function<TierContext, CachePolicy> policy, Workload load) {
    List<TierContext> contexts = new ArrayList<>();
    ModelSystem recorded =
        new ModelSystem(
            "recorded",
            "",
            ModelSystem.Use.CACHE,
            context -> {
              contexts.add(context);
              return new CacheTier(
                  context, policy.apply(context), cache -> recording(cache, context));
            });
    ModelRun.run(
        new Scenario(load, recorded, DRAM_GB, NVRAM_GB, 0, ModelParameters.PAPER, SCALE, SEED));

    assertThat(calls).hasSizeGreaterThan(20_000);
    replay(contexts.get(0), policy);
    Map<OfferResult, Integer> ends = new EnumMap<>(OfferResult.class);
    for (Call call : calls) {
      if (call.answer() instanceof OfferResult result) {
        ends.merge(result, 1, Integer::sum);
      }
    }
    return ends;
  }

  private BlockCache recording(BlockCache cache, TierContext context) {
    return recording(
        BlockCache.class,
        cache,
        (method, arguments, answer) -> {
          long nanos = context.storeNanos();
          int writers = context.writers().getAsInt();
          switch (method) {
            case "get", "invalidate" ->
                add(method, (long) arguments[1], Source.READ, nanos, writers, answer);
            case "offer" ->
                add(method, (long) arguments[1], (Source) arguments[3], nanos, writers, answer);
            case "control" -> {
              return recording((CacheControl) answer, context);
            }
            default -> {}
          }
          return answer;
        });
  }

  private CacheControl recording(CacheControl control, TierContext context) {
    return recording(
        CacheControl.class,
        control,
        (method, none, answer) -> {
          if (method.equals("maintain")) {
            addSilent(method, 0, context);
          }
          return method.equals("dataSet") ? recording((DataSet) answer, context) : answer;
        });
  }

  private DataSet recording(DataSet files, TierContext context) {
    return recording(
        DataSet.class,
        files,
        (method, arguments, answer) -> {
          addSilent(method, (long) arguments[1], context);
          return answer;
        });
  }

  /** Adds a call that answers nothing. */
  private void addSilent(String method, long number, TierContext context) {
    add(method, number, Source.READ, context.storeNanos(), context.writers().getAsInt(), "");
  }

  private void add(
      String method, long number, Source source, long nanos, int writers, Object answer) {
    calls.add(new Call(method, number, source, nanos, writers, answer));
  }

  /** Is told each call and its answer, and gives what is to be answered. */
  private interface Recorder {
    Object record(String method, Object[] arguments, Object answer);
  }

  private static <T> T recording(Class<T> type, T target, Recorder recorder) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(target, arguments);
                return recorder.record(method.getName(), arguments, answer);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** On native memory, whose bytes are real, with the clock and the writers of the recording. */
  private void replay(TierContext recorded, Function<TierContext, CachePolicy> policyOf) {
    AtomicLong clock = new AtomicLong();
    AtomicInteger writers = new AtomicInteger();
    CachePolicy policy =
        policyOf.apply(
            new TierContext(
                recorded.machine(),
                recorded.scale(),
                recorded.capacityBytes(),
                recorded.dramBytes(),
                recorded.seed(),
                () -> 0,
                writers::get));
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    try (BlockCache cache =
        BlockCache.builder()
            .medium(new MemoryOfWeight(recorded.capacityBytes(), policy.writeCost()))
            .admission(policy.admission())
            .eviction(policy.eviction())
            .evictionWindow(policy.evictionWindow())
            .overheadTarget(policy.overheadTarget())
            .smallBypassDramBytes(recorded.dramBytes())
            .expectedBlockBytes(policy.indexedBlockBytes())
            .maxBlockBytes(BLOCK_BYTES)
            .testing(TestHook.hashSeed(recorded.seed()), TestHook.nanoTime(clock::get))
            .maintainedByCaller()
            .build()) {
      for (int i = 0; i < calls.size(); i++) {
        Call call = calls.get(i);
        clock.set(call.nanos());
        writers.set(call.writers());
        assertThat(answer(cache, call, block.clear()))
            .as("call %d: %s", i, call)
            .isEqualTo(call.answer());
      }
    }
  }

  private static Object answer(BlockCache cache, Call call, ByteBuffer block) {
    return switch (call.method()) {
      case "get" -> cache.get(FILE_ID, call.number(), block);
      case "invalidate" -> cache.invalidate(FILE_ID, call.number());
      case "offer" -> cache.offer(FILE_ID, call.number(), block, call.source());
      case "maintain" -> {
        cache.control().maintain();
        yield "";
      }
      case "register" -> {
        cache.control().dataSet().register(FILE_ID, call.number());
        yield "";
      }
      default -> throw new IllegalStateException(call.method());
    };
  }
}
