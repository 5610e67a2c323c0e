// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.KeySource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Media that are put together from states of several copies of one, which continued apart: what an
 * attacker can do who writes to a drive, has copied it, while it was in use too, and has no key. A
 * number that one copy gave to a file, the other one has given to another.
 *
 * <p>{@code -Dnvcache.craftedRounds=10000} tries more.
 */
@Timeout(300)
final class SplicedMediumTest {
  private static final int ROUNDS = 5 * Integer.getInteger("nvcache.craftedRounds", 6);
  private static final int CAPACITY = 1 << 20;
  private static final int PAGE = 4096;
  private static final int REGION = 64 << 10;
  private static final int LENGTH = 600;
  private static final int BLOCKS = 30;
  private static final int FILES = 12;

  /** Of one medium, in the order in which they were copied. */
  private final List<byte[]> states = new ArrayList<>();

  private static BlockCache open(CrashDisk disk, @Nullable KeySource keys) {
    BlockCacheBuilder builder = WarmRestartTest.builder(disk);
    BlockCache cache = (keys == null ? builder : builder.encrypted(keys)).build();
    cache.control().maintain();
    return cache;
  }

  private static FileIdentity identity(int file) {
    return FileIdentity.of("spliced", Integer.toString(file));
  }

  private static void offer(BlockCache cache, int file) {
    cache.identify(file, identity(file));
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * PAGE;
      cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
    }
    cache.control().maintain();
  }

  /** Lets a copy continue, with these files in this order, and copies it after each. */
  private byte[] goOn(byte[] from, @Nullable KeySource keys, int... files) {
    CrashDisk disk = new CrashDisk(from);
    try (BlockCache cache = open(disk, keys)) {
      for (int file : files) {
        offer(cache, file);
        states.add(disk.afterKill());
      }
      cache.invalidate(files[0], 0);
      states.add(disk.afterKill());
    }
    states.add(disk.afterKill());
    return disk.afterKill();
  }

  private void copyAndGoOn(@Nullable KeySource keys) {
    states.clear();
    byte[] common = goOn(new byte[CAPACITY], keys, 0, 1);
    byte[] one = goOn(common, keys, 2, 3);
    goOn(one, keys, 4, 5, 6);
    byte[] other = goOn(common, keys, 6, 5);
    goOn(other, keys, 3, 2, 7);
    goOn(common, keys, 8);
  }

  private void require(byte[] spliced, @Nullable KeySource keys, String what) {
    byte[] left = spliced;
    for (int life = 0; life < 3; life++) {
      CrashDisk disk = new CrashDisk(left);
      try (BlockCache cache = open(disk, keys)) {
        for (int file = 0; file < FILES; file++) {
          cache.identify(file, identity(file));
        }
        requireOwn(cache, what);
        offer(cache, FILES - 1 - life);
        requireOwn(cache, what);
        assertThat(cache.control().health().inService()).as(what).isTrue();
      }
      left = disk.afterKill();
    }
  }

  private static void requireOwn(BlockCache cache, String what) {
    ByteBuffer dst = ByteBuffer.allocate(PAGE);
    for (int file = 0; file < FILES; file++) {
      for (int block = 0; block < BLOCKS; block++) {
        long offset = (long) block * PAGE;
        if (cache.get(file, offset, dst.clear()) != BlockCache.MISS) {
          assertThat(TestBlock.matches(dst.flip(), file, offset, LENGTH))
              .as("%s: block %d of file %d", what, block, file)
              .isTrue();
        }
      }
    }
  }

  /** Each superblock, and each piece of the rest, from any state. */
  private byte[] splice(SplittableRandom random, int pieceBytes) {
    byte[] spliced = new byte[CAPACITY];
    int states = 1 + random.nextInt(3);
    int[] chosen = random.ints(states, 0, this.states.size()).toArray();
    for (int at = 0; at < CAPACITY; ) {
      int length = at < 2 * PAGE ? PAGE : Math.min(pieceBytes, CAPACITY - at);
      byte[] from = this.states.get(chosen[random.nextInt(states)]);
      System.arraycopy(from, at, spliced, at, length);
      at += length;
    }
    return spliced;
  }

  @Test
  void shouldGiveEachFileItsOwnBlocks_WhateverPagesASealedMediumIsMadeOf() {
    KeySource keys = new CraftedMedium.Keys();
    copyAndGoOn(keys);
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(round);
      int piece = new int[] {512, PAGE, REGION, CAPACITY}[random.nextInt(4)];
      require(splice(random, piece), keys, "seed " + round + ", pieces of " + piece);
    }
  }

  /** In the clear, pages of one region that two copies wrote pass for each other. */
  @Test
  void shouldGiveEachFileItsOwnBlocks_WhateverRegionsAMediumInTheClearIsMadeOf() {
    copyAndGoOn(null);
    for (int round = 0; round < ROUNDS; round++) {
      require(splice(new SplittableRandom(round), REGION), null, "seed " + round);
    }
  }

  /** Nothing that is on the medium says of two regions' keys that they are equal. */
  @Test
  void shouldSealNothingElseUnderASaltAndAPlace() {
    copyAndGoOn(new CraftedMedium.Keys());
    Map<List<Object>, byte[]> sealed = new HashMap<>();
    int again = 0;
    for (byte[] state : states) {
      ByteBuffer bytes = ByteBuffer.wrap(state);
      for (int header : CraftedImage.regionHeaders(state)) {
        ByteBuffer salt = bytes.slice(header + 48, 32);
        long stamp = bytes.getLong(header + 16) ^ bytes.getLong(header + 40);
        for (int at = header + PAGE; bytes.getLong(at + 8) == stamp; ) {
          int space = (32 + bytes.getInt(at + 16) + 63) & -64;
          byte[] block = Arrays.copyOfRange(state, at, at + space);
          byte[] before = sealed.put(List.of(salt, at), block);
          assertThat(before == null || Arrays.equals(before, block)).as("at %d", at).isTrue();
          again += before == null ? 0 : 1;
          at += space;
        }
      }
    }
    assertThat(sealed).hasSizeGreaterThan(8 * BLOCKS);
    assertThat(again).as("blocks that several states have").isGreaterThan(sealed.size());
  }
}
