// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.BlockWalk;
import io.nvcache.control.CacheControl;
import io.nvcache.jmx.CapturedLog;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Caches that are dropped without being closed. */
class DroppedCacheTest {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long CAPACITY_BYTES = 4 << 20;

  private static BlockCacheBuilder builder() {
    return BlockCache.builder().admission(AdmissionPresets.admitAll()).maxBlockBytes(4096);
  }

  private static void fill(BlockCache cache) {
    for (int i = 0; i < 8; i++) {
      ByteBuffer block = ByteBuffer.allocate(4096).putInt(0, i);
      assertThat(cache.offer(1, i, block, Source.READ)).isEqualTo(OfferResult.ADMITTED);
    }
  }

  private static boolean await(BooleanSupplier event) throws InterruptedException {
    long began = System.nanoTime();
    while (!event.getAsBoolean() && System.nanoTime() - began < PATIENCE_NANOS) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return event.getAsBoolean();
  }

  /** Builds a cache that closes with a flag, and returns what is to be held of it. */
  private static <T> T build(
      BlockCacheBuilder builder, AtomicBoolean closed, Function<BlockCache, T> held) {
    BlockCache cache = builder.build();
    fill(cache);
    cache.control().addCompanion(() -> closed.set(true));
    return held.apply(cache);
  }

  @Test
  void shouldCloseADroppedCache_AndNameOnceWhereItWasBuilt() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();

    String log =
        CapturedLog.of(
            () -> {
              Object unused = build(builder().nativeMemory(CAPACITY_BYTES), closed, cache -> 0);
              assertThat(await(closed::get)).isTrue();
            });

    assertThat(log.lines().filter(line -> line.contains("was dropped"))).hasSize(1);
    assertThat(log)
        .contains("a cache on native memory, 4194304 bytes was dropped")
        .contains("built at io.nvcache.DroppedCacheTest.build(DroppedCacheTest.java:");
  }

  @Test
  void shouldGiveBackTheThreadsAndTheLockOfTheFile(@TempDir Path directory) throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    Path file = directory.resolve("flash");
    List<String> before = threads();

    Object unused = build(builder().flash(file, CAPACITY_BYTES), closed, cache -> 0);

    assertThat(await(closed::get)).isTrue();
    assertThat(await(() -> threads().size() <= before.size())).isTrue();
    assertThat(await(() -> opens(file))).isTrue();
  }

  private static boolean opens(Path file) {
    try (BlockCache next = builder().flash(file, CAPACITY_BYTES).build()) {
      return next.control().health().inService();
    } catch (UncheckedIOException held) {
      return false;
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("nvcache-maintenance") || name.startsWith("nvcache-reg"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "caller", "encrypted", "listeners", "mbean", "shadows"})
  void shouldCloseOneThatReferencesItself(String kind) throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    BlockCacheBuilder builder = builder().nativeMemory(CAPACITY_BYTES);
    switch (kind) {
      case "caller" -> builder.maintainedByCaller();
      case "encrypted" -> builder.encrypted();
      case "mbean" -> builder.registerMBean("dropped");
      case "shadows" -> builder.shadows(0.5, "paper");
      default -> {}
    }

    Object unused =
        build(
            builder,
            closed,
            cache -> {
              if (kind.equals("listeners")) {
                cache.control().addListener(event -> cache.stats());
                cache.control().settings().addListener((name, before, after) -> cache.stats());
              }
              return 0;
            });

    assertThat(await(closed::get)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"control", "walk", "rewrite", "pin", "cursor"})
  void shouldStayOpen_WhileSomethingThatUsesItIsHeld(String what) throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    List<WeakReference<BlockCache>> cache = new ArrayList<>();

    Object held =
        build(
            builder().nativeMemory(CAPACITY_BYTES),
            closed,
            built -> {
              cache.add(new WeakReference<>(built));
              return switch (what) {
                case "control" -> built.control();
                case "walk" -> built.control().walk();
                case "rewrite" -> built.rewrite();
                case "cursor" -> built.view(1, 4096, 8 * 4096).cursor();
                default -> built.reusablePin();
              };
            });

    assertThat(await(() -> cache.get(0).get() == null)).isTrue();
    System.gc();
    assertThat(closed).isFalse();
    if (held instanceof CacheControl control) {
      assertThat(control.countBlocks(1)).isEqualTo(8);
    } else if (held instanceof BlockWalk walk) {
      assertThat(walk.next()).isTrue();
    } else if (held instanceof ReusablePin pin) {
      assertThat(pin.moveTo(1, 7)).isEqualTo(4096);
      pin.unpin();
    }
    if (held instanceof BlockCursor cursor) {
      assertThat(cursor.moveTo(0)).isNotEqualTo(BlockCursor.NOT_IN_PLACE);
      assertThat(closed).isFalse();
    }
    Reference.reachabilityFence(held);
  }

  @Test
  void shouldLeaveABlockToItsPin() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();

    try (PinnedBlock pin =
        build(builder().nativeMemory(CAPACITY_BYTES), closed, cache -> cache.pin(1, 5))) {
      assertThat(await(closed::get)).isTrue();
      assertThat(pin.getLong(0) >>> 32).isEqualTo(5);
    }
  }

  @Test
  void shouldSayNothingOfAClosedCache() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();

    String log =
        CapturedLog.of(
            () -> {
              WeakReference<BlockCache> cache =
                  build(
                      builder().nativeMemory(CAPACITY_BYTES),
                      closed,
                      built -> {
                        built.close();
                        return new WeakReference<>(built);
                      });
              assertThat(await(() -> cache.get() == null)).isTrue();
              System.gc();
            });

    assertThat(closed).isTrue();
    assertThat(log).doesNotContain("dropped");
  }
}
