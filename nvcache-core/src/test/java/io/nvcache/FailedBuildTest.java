// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache that can't be built leaves nothing behind, and what was there before as it was. */
@EnabledOnOs(OS.LINUX)
final class FailedBuildTest {
  private static final int CAPACITY = 8 << 20;

  private static final KeySource DOWN =
      new KeySource() {
        @Override
        public byte[] wrap(byte[] key) throws IOException {
          throw new IOException("503");
        }

        @Override
        public byte[] unwrap(byte[] wrapped) throws IOException {
          throw new IOException("503");
        }
      };

  @TempDir Path directory;

  private static BlockCacheBuilder builder(String kind, Path file) {
    BlockCacheBuilder builder = BlockCache.builder().maxBlockBytes(4096);
    return kind.equals("flash")
        ? builder.flash(file, CAPACITY)
        : builder.mappedFile(file, CAPACITY);
  }

  private static List<Consumer<BlockCacheBuilder>> failures() {
    return List.of(
        builder -> builder.registerMBean("taken"),
        builder -> builder.encrypted(DOWN),
        builder ->
            builder.admission(
                context -> {
                  throw new IllegalStateException("no policy");
                }),
        builder ->
            builder.eviction(
                context -> {
                  throw new OutOfMemoryError("no heap");
                }),
        builder -> builder.discardBytesPerSecond(1).placement(BlockPlacement.IN_PLACE),
        builder -> builder.placement(BlockPlacement.IN_PLACE).restart(Restart.WARM));
  }

  private static void assertFails(String kind, Path file, Consumer<BlockCacheBuilder> failure) {
    try (BlockCache other =
        BlockCache.builder().nativeMemory(1 << 20).registerMBean("taken").build()) {
      assertThat(other.stats().blocks()).isZero();
      assertThatThrownBy(
              () -> {
                BlockCacheBuilder builder = builder(kind, file);
                failure.accept(builder);
                builder.build();
              })
          .isNotInstanceOf(AssertionError.class);
    }
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("nvcache-") && thread.isAlive())
        .count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldLeaveNothingBehind(String kind) throws IOException {
    for (Consumer<BlockCacheBuilder> failure : failures()) {
      long before = threads();
      assertFails(kind, directory.resolve("f"), failure);
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left).isEmpty();
      }
      assertThat(threads()).isLessThanOrEqualTo(before);
    }
    builder(kind, directory.resolve("f")).build().close(); // Nor a lock.
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldLeaveWhatHeldNothingAsItWas(String kind) throws IOException {
    Path empty = Files.createFile(directory.resolve("empty"));
    Path sparse = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(12_345);
    }
    for (Path file : new Path[] {empty, sparse}) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
      byte[] before = Files.readAllBytes(file);
      for (Consumer<BlockCacheBuilder> failure : failures()) {
        assertFails(kind, file, failure);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-r-----");
      }
    }
  }

  @Test
  void shouldLeaveAnEarlierCachesBlocks() throws IOException {
    Path file = directory.resolve("f");
    FileIdentity identity = FileIdentity.of("test", "a");
    try (BlockCache cache = builder("flash", file).admission(AdmissionPresets.admitAll()).build()) {
      cache.identify(1, identity);
      cache.offer(1, 0, ByteBuffer.allocate(4096), Source.READ);
    }
    for (Consumer<BlockCacheBuilder> failure : failures()) {
      assertFails("flash", file, failure);
    }
    try (BlockCache cache = builder("flash", file).maintainedByCaller().build()) {
      cache.control().maintain();
      assertThat(cache.control().restore().restoredBlocks()).isEqualTo(1);
    }
  }

  /** Its blocks go, since the file is filled again, and no room is taken for what is not built. */
  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldGiveBackTheRoomByWhichAnEarlierCachesFileHasGrown(String kind) throws IOException {
    Path file = directory.resolve("f");
    BlockCache.builder().maxBlockBytes(4096).flash(file, CAPACITY / 2).build().close();
    long before = Files.size(file);
    for (Consumer<BlockCacheBuilder> failure : failures()) {
      assertFails(kind, file, failure);
      assertThat(Files.size(file)).isEqualTo(before);
    }
  }

  /** Of a medium that the builder was given, too. */
  @Test
  void shouldUndoTheOpeningOfAMediumThatItWasGiven() throws IOException {
    Path file = directory.resolve("f");
    Path mapped = directory.resolve("mapped");
    for (Medium medium :
        List.of(FlashMedium.create(file, CAPACITY), MappedFileMedium.create(mapped, CAPACITY))) {
      assertThatThrownBy(
              () ->
                  BlockCache.builder()
                      .medium(medium)
                      .admission(
                          context -> {
                            throw new IllegalStateException("no policy");
                          })
                      .build())
          .hasMessage("no policy");
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  /** Or what is left of the parts would keep its memory. */
  @Test
  void shouldSayWhyItFailed_WhateverAPolicyThrowsWhenItIsClosed() {
    AssertionError atClose = new AssertionError("can't close");
    IllegalStateException why = new IllegalStateException("no policy");
    BlockCacheBuilder builder =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .eviction(
                context -> {
                  HookedEviction eviction = new HookedEviction(context);
                  eviction.atClose =
                      () -> {
                        throw atClose;
                      };
                  return eviction;
                })
            .admission(
                context -> {
                  throw why;
                });
    assertThatThrownBy(builder::build).isSameAs(why).hasSuppressedException(atClose);
  }

  /** What hears of them is kept by the cache that was built, and not by the one that was not. */
  @Test
  void shouldHearOfSettings_IfItIsBuiltAfterAFailure() {
    AtomicBoolean fails = new AtomicBoolean(true);
    AtomicInteger policies = new AtomicInteger();
    BlockCacheBuilder builder =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maintainedByCaller()
            .admission(AdmissionPresets.admitAll())
            .eviction(
                context -> {
                  if (policies.incrementAndGet() > 1 && fails.get()) {
                    throw new IllegalStateException("no miniature");
                  }
                  return new FifoEviction(context);
                })
            .shadows(0.5);
    assertThatThrownBy(builder::build).hasMessageContaining("no miniature");
    collect();
    fails.set(false);
    try (BlockCache cache = builder.build()) {
      collect();
      List<String> heard = new ArrayList<>();
      cache.control().settings().addListener((setting, before, after) -> heard.add(setting));
      cache.offer(1, 0, TestBlock.of(1, 0, 4096), Source.READ);
      assertThat(cache.pin(1, 0)).isNotNull();

      cache.control().settings().setMaxPinnedBytes(0);

      assertThat(heard).containsExactly("maxPinnedBytes");
      assertThat(cache.pin(1, 0)).isNull();
    }
  }

  /** Returns when something that nothing referenced is gone. */
  private static void collect() {
    WeakReference<Object> gone = new WeakReference<>(new Object());
    while (gone.get() != null) {
      System.gc();
    }
  }
}
