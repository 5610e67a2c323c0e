// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.control.CacheListener;
import io.nvcache.control.LiveSetting;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import io.nvcache.control.Tuning;
import io.nvcache.tiered.BlockLoader;
import io.nvcache.tiered.TieredBlockCache;
import io.nvcache.tiered.TieredBlockCacheBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each method of the API, with each of its arguments null: the answer names the argument. */
final class NullArgumentsTest {
  /** An argument of each type that the methods take, with which they do as they should. */
  private static final Map<Class<?>, Object> GOOD =
      Map.ofEntries(
          Map.entry(long.class, 1L),
          Map.entry(int.class, 1),
          Map.entry(double.class, 0.1),
          Map.entry(ByteBuffer.class, ByteBuffer.allocate(1)),
          Map.entry(long[].class, new long[1]),
          Map.entry(int[].class, new int[1]),
          Map.entry(ByteBuffer[].class, new ByteBuffer[1]),
          Map.entry(Source.class, Source.READ),
          Map.entry(BlockRank.class, BlockRank.IMPORTANT),
          Map.entry(LiveSetting.class, LiveSetting.FULL_TARGET),
          Map.entry(Supplier.class, (Supplier<ByteBuffer>) () -> ByteBuffer.allocate(1)),
          Map.entry(String.class, "text"),
          Map.entry(CacheListener.class, (CacheListener) event -> {}),
          Map.entry(AutoCloseable.class, (AutoCloseable) () -> {}),
          Map.entry(Duration.class, Duration.ofMinutes(1)),
          Map.entry(SettingListener.class, (SettingListener) (name, before, after) -> {}),
          Map.entry(String[].class, new String[0]),
          Map.entry(ObjLongConsumer.class, (ObjLongConsumer<String>) (name, id) -> {}));

  private static BlockCache cache() {
    return BlockCache.builder().nativeMemory(4 << 20).maintainedByCaller().build();
  }

  private static TieredBlockCache tiered() {
    return TieredBlockCache.builder(1 << 20, (file, offset) -> ByteBuffer.allocate(1)).build();
  }

  /** What can be called, and a new one of it. */
  private static Stream<Arguments> methods() {
    List<Arguments> all = new ArrayList<>();
    add(all, BlockCache.class, NullArgumentsTest::cache);
    add(all, LiveSettings.class, () -> cache().control().settings());
    add(all, Tuning.class, () -> cache().control().tuning());
    add(all, TieredBlockCache.class, NullArgumentsTest::tiered);
    add(all, BlockCacheBuilder.class, BlockCache::builder);
    add(
        all,
        TieredBlockCacheBuilder.class,
        () -> TieredBlockCache.builder(0, (file, offset) -> ByteBuffer.allocate(1)));
    add(all, FileIdRegistry.class, FileIdRegistry::new);
    assertThat(all).hasSizeGreaterThan(40);
    return all.stream();
  }

  private static void add(List<Arguments> all, Class<?> type, Supplier<?> target) {
    for (Method method : type.getDeclaredMethods()) {
      Parameter[] parameters = method.getParameters();
      for (int i = 0; i < parameters.length; i++) {
        if (Modifier.isPublic(method.getModifiers())
            && !method.isSynthetic()
            && !parameters[i].getType().isPrimitive()) {
          all.add(Arguments.of(method, i, parameters[i].getName(), target));
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("methods")
  void shouldNameTheArgumentThatIsNull(
      Method method, int index, String name, Supplier<?> newTarget) {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(GOOD::get).toArray(Object[]::new);
    arguments[index] = null;
    Object target = Modifier.isStatic(method.getModifiers()) ? null : newTarget.get();
    try {
      assertThatThrownBy(() -> method.invoke(target, arguments))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isInstanceOf(NullPointerException.class)
          .hasMessage(name);
    } finally {
      if (target instanceof BlockCache open) {
        open.close();
      }
    }
  }

  @Test
  void shouldAskNoPolicyAboutAnOfferWithANull() {
    AtomicInteger asked = new AtomicInteger();
    AdmissionPolicy counting =
        new AdmissionPolicy() {
          @Override
          public AdmissionDecision decide(Candidate candidate) {
            asked.incrementAndGet();
            return AdmissionDecision.ADMIT;
          }
        };
    try (BlockCache cache =
        BlockCache.builder().nativeMemory(4 << 20).admission(context -> counting).build()) {
      assertThatThrownBy(() -> cache.offer(1, 0, ByteBuffer.allocate(8), null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("source");
      assertThat(asked).hasValue(0);
      assertThat(cache.control().conditions()).isEmpty();
      assertThat(cache.stats().lookups()).isZero();
    }
  }

  @Test
  void shouldNameTheLoaderThatGivesNull() throws Exception {
    BlockLoader loader = (file, offset) -> null;
    try (TieredBlockCache cache = TieredBlockCache.builder(1 << 20, loader).build()) {
      assertThatThrownBy(() -> cache.get(7, 4096, Source.READ))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("the loader " + loader.getClass().getName() + " gave null")
          .hasMessageContaining("fileId=7")
          .hasMessageContaining("return the block, or throw an IOException");
      assertThat(cache.stats().loadFailures()).isEqualTo(1);
    }
  }
}
