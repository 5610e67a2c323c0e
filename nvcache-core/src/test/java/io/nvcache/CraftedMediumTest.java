// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nvcache.CraftedMedium.Part;
import io.nvcache.medium.KeySource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Media that somebody edited who knows the format, with the sums made right: caches start, hit,
 * admit and restart on them, and inspections read them.
 *
 * <p>{@code -Dnvcache.craftedRounds=10000} tries more.
 */
@Timeout(300)
final class CraftedMediumTest {
  private static final int ROUNDS = Integer.getInteger("nvcache.craftedRounds", 6);
  private static final int PAGE = 4096;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Part.class)
  void shouldServe_InTheClear(Part part) {
    serve(part, null);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void shouldServe_Sealed(Part part) {
    serve(part, new CraftedMedium.Keys());
  }

  private static void serve(Part part, @Nullable KeySource keys) {
    byte[] honest = CraftedMedium.image(keys);
    CraftedMedium.live(honest.clone(), keys, part);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] image = honest.clone();
      String done = CraftedMedium.edit(image, part, keys != null, choices(round));
      long before = allocated();
      try {
        CraftedMedium.live(image, keys, part);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + round + ": " + done, e);
      }
      assertThat(allocated() - before)
          .as("bytes allocated, seed %d: %s", round, done)
          .isLessThan(CraftedMedium.MOST_ALLOCATED_BYTES);
    }
  }

  /** The numbers that are reckoned with, and the ends of what they may be. */
  @ParameterizedTest
  @ValueSource(ints = {32, 40, 56, 80, 88, 232, 512})
  void shouldServe_WhateverANumberOfTheSuperblockIs(int at) {
    byte[] honest = CraftedMedium.image(null);
    long most = (1L << 61) / (64 << 10); // Of generations from which a cache goes on.
    for (long value :
        new long[] {
          -1, Long.MIN_VALUE, Long.MAX_VALUE - 2000, 1L << 62, (1L << 61) - 1, most, most - 1
        }) {
      byte[] image = honest.clone();
      for (int copy = 0; copy < 2 * PAGE; copy += PAGE) {
        ByteBuffer.wrap(image).putLong(copy + at, value);
        CraftedImage.mendSuperblock(image, copy);
      }
      try {
        CraftedMedium.live(image, null, Part.SUPERBLOCK);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(value + " at " + at, e);
      }
    }
  }

  @Test
  void shouldInspectWhateverAFileHolds() throws IOException {
    for (KeySource keys : Arrays.asList(null, new CraftedMedium.Keys())) {
      Path file = directory.resolve(keys == null ? "clear" : "sealed");
      byte[] honest = CraftedMedium.image(keys);
      for (int round = 0; round < 10 * ROUNDS; round++) {
        byte[] image = honest.clone();
        Part part = Part.values()[round % Part.values().length];
        String done = CraftedMedium.edit(image, part, keys != null, choices(round));
        inspect(file, image, keys, "seed " + round + ": " + done);
      }
    }
  }

  /** More regions than the file has room for, and a region whose footer would be longer. */
  @Test
  void shouldInspectNoMoreThanThereIs() throws IOException {
    Path file = directory.resolve("flash");
    byte[] image = CraftedMedium.image(null);
    for (long[] capacityAndRegion :
        new long[][] {{1L << 46, 1 << 16}, {1L << 59, 1 << 26}, {1L << 62, 1 << 30}}) {
      for (int copy = 0; copy < 2 * PAGE; copy += PAGE) {
        ByteBuffer.wrap(image).putLong(copy + 56, capacityAndRegion[0]);
        ByteBuffer.wrap(image).putInt(copy + 64, (int) capacityAndRegion[1]);
        CraftedImage.mendSuperblock(image, copy);
      }
      assertThat(inspect(file, image, null, "").coldReason()).contains("superblock says");
    }
  }

  /** Nothing but a file or a block device can be a medium. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldInspectNoPipe() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path other : new Path[] {pipe, Path.of("/dev/zero")}) {
      assertThatThrownBy(() -> FlashInspection.of(other))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(other + " is neither a file nor a block device");
    }
  }

  private static FlashInspection inspect(
      Path file, byte[] image, @Nullable KeySource keys, String what) throws IOException {
    Files.write(file, CraftedImage.flash(image));
    long before = allocated();
    try {
      FlashInspection seen =
          keys == null ? FlashInspection.of(file) : FlashInspection.of(file, keys);
      assertThat(allocated() - before).as(what).isLessThan(16L << 20);
      return seen;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what, e);
    }
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static CraftedMedium.Choices choices(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new CraftedMedium.Choices() {
      @Override
      public int below(int bound) {
        return random.nextInt(bound);
      }

      @Override
      public long any() {
        return random.nextLong();
      }
    };
  }
}
