// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreReport;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.KeyFile;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regions that are sealed with a key from outside: what they give back, and what they give away.
 */
@Timeout(300)
final class SealedRegionsTest {
  private static final int CAPACITY = 1 << 20;
  private static final int PAGE = 4096;
  private static final int BLOCKS = 120;
  private static final long FILE = 7;
  private static final String WORD = "a word that must not be read ";

  @TempDir Path directory;

  private KeySource keys = new KeyFile(Path.of(""));

  @BeforeEach
  void setUp() throws IOException {
    keys = keyFile("key", 1);
  }

  private KeySource keyFile(String name, long seed) throws IOException {
    byte[] key = new byte[32];
    new SplittableRandom(seed).nextBytes(key);
    return new KeyFile(Files.write(directory.resolve(name), key));
  }

  private static BlockCache open(CrashDisk disk, @Nullable KeySource by) {
    BlockCacheBuilder builder = WarmRestartTest.builder(disk);
    BlockCache cache = (by == null ? builder : builder.encrypted(by)).build();
    cache.control().maintain();
    cache.identify(FILE, identity());
    return cache;
  }

  private static FileIdentity identity() {
    return FileIdentity.of("sealed", "a file");
  }

  private static byte[] bytes(int block) {
    StringBuilder text = new StringBuilder();
    while (text.length() < 3000 + block) {
      text.append(WORD).append(block).append(' ');
    }
    return text.substring(0, 3000 + block).getBytes(StandardCharsets.US_ASCII);
  }

  /** Fills a cache, and returns what it leaves when it is closed. */
  private static byte[] filled(@Nullable KeySource by) {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk, by)) {
      for (int block = 0; block < BLOCKS; block++) {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(block));
        assertThat(cache.offer(FILE, (long) block * PAGE, bytes, Source.READ))
            .isEqualTo(OfferResult.ADMITTED);
      }
      assertThat(hits(cache)).as("from the buffer and the medium").isEqualTo(BLOCKS);
    }
    return disk.afterKill();
  }

  private static int hits(BlockCache cache) {
    int hits = 0;
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer dst = ByteBuffer.allocateDirect(PAGE);
      if (cache.get(FILE, (long) block * PAGE, dst) != BlockCache.MISS) {
        hits++;
        byte[] found = new byte[dst.flip().remaining()];
        dst.get(found);
        assertThat(found).isEqualTo(bytes(block));
      }
    }
    return hits;
  }

  @Test
  void shouldBeWarm_WithTheSameKey() {
    byte[] left = filled(keys);
    for (int restart = 0; restart < 3; restart++) {
      CrashDisk disk = new CrashDisk(left);
      try (BlockCache cache = open(disk, keys)) {
        assertThat(cache.control().restore().restoredBlocks()).isEqualTo(BLOCKS);
        assertThat(hits(cache)).isEqualTo(BLOCKS);
        ByteBuffer part = ByteBuffer.allocate(100);
        assertThat(cache.getRange(FILE, 5L * PAGE, 1000, part)).isEqualTo(100);
        assertThat(part.array()).isEqualTo(Arrays.copyOfRange(bytes(5), 1000, 1100));
      }
      left = disk.afterKill();
    }
  }

  @Test
  void shouldBeCold_WithAnotherKey() throws IOException {
    assertCold(filled(keys), keyFile("other", 2), "not wrapped by the key");
  }

  @Test
  void shouldBeCold_WithoutAKey() {
    assertCold(filled(keys), null, "no key was given");
  }

  @Test
  void shouldBeCold_WithAKeyForWhatIsInTheClear() {
    assertCold(filled(null), keys, "in the clear");
  }

  private static void assertCold(byte[] left, @Nullable KeySource by, String why) {
    try (BlockCache cache = open(new CrashDisk(left), by)) {
      RestoreReport report = cache.control().restore();
      assertThat(report.state()).isEqualTo(State.COLD);
      assertThat(report.reason()).contains(why);
      assertThat(hits(cache)).isZero();
    }
  }

  @Test
  void shouldLeaveNothingThatCanBeRead() {
    assertThat(count(filled(null), WORD.getBytes(StandardCharsets.US_ASCII))).isPositive();
    byte[] left = filled(keys);
    assertThat(count(left, WORD.getBytes(StandardCharsets.US_ASCII))).isZero();
    ByteBuffer identity = ByteBuffer.allocate(FileIdentity.BYTES);
    identity.putLong(identity().high()).putLong(identity().low());
    assertThat(count(filled(null), identity.array())).isPositive();
    assertThat(count(left, identity.array())).isZero();
  }

  private static int count(byte[] in, byte[] wanted) {
    String text = new String(in, StandardCharsets.ISO_8859_1);
    String word = new String(wanted, StandardCharsets.ISO_8859_1);
    int count = 0;
    for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      count++;
    }
    return count;
  }

  /** Whatever is changed: a block that was, or one whose footer was, is missed. */
  @Test
  void shouldNeverGiveChangedBytes() {
    SplittableRandom random = new SplittableRandom(25);
    byte[] left = filled(keys);
    int missed = 0;
    for (int round = 0; round < 300; round++) {
      byte[] changed = left.clone();
      for (int i = 0; i < 8; i++) {
        changed[random.nextInt(8192, CAPACITY)] ^= (byte) (1 << random.nextInt(8));
      }
      try (BlockCache cache = open(new CrashDisk(changed), keys)) {
        missed += BLOCKS - hits(cache);
      }
    }
    assertThat(missed).isGreaterThan(300);
  }

  @Test
  void shouldRefuseBlocksInPlace() {
    NativeMedium medium = NativeMedium.allocate(CAPACITY);
    assertThatThrownBy(() -> BlockCache.builder().medium(medium).encrypted(keys).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in regions");
    medium.close();
  }

  @Test
  void shouldNotOpenWithoutTheKeysFile() {
    KeySource missing = new KeyFile(directory.resolve("missing"));
    CrashDisk disk = new CrashDisk(CAPACITY);
    assertThatThrownBy(() -> WarmRestartTest.builder(disk).encrypted(missing).build())
        .hasMessageContaining("can't wrap a key");
  }

  @Test
  void shouldSayOfAFileThatItIsSealed() throws IOException {
    Path file = directory.resolve("flash");
    BlockCacheBuilder builder = BlockCache.builder().flash(file, 8 << 20).encrypted(keys);
    builder.maxBlockBytes(PAGE).expectedBlockBytes(PAGE).build().close();
    FlashInspection seen = FlashInspection.of(file);
    assertThat(seen.coldReason()).contains("encrypted");
    assertThat(seen.header()).isPresent();
    assertThat(seen.regions()).isEmpty();
  }

  @Test
  void shouldShowAFileToItsKey_AndToNoOther() throws IOException {
    Path file = directory.resolve("flash");
    BlockCacheBuilder builder = BlockCache.builder().flash(file, 8 << 20).encrypted(keys);
    builder.maxBlockBytes(PAGE).expectedBlockBytes(PAGE);
    try (BlockCache cache = builder.admission(AdmissionPresets.admitAll()).build()) {
      cache.identify(FILE, identity());
      for (int block = 0; block < 7; block++) {
        cache.offer(FILE, (long) block * PAGE, ByteBuffer.wrap(bytes(block)), Source.READ);
      }
    }

    FlashInspection seen = FlashInspection.of(file, keys);
    assertThat(seen.coldReason()).isEmpty();
    assertThat(seen.blocks()).isEqualTo(7);
    assertThat(seen.files().get(0).identity()).isEqualTo(identity());
    assertThat(FlashInspection.of(file, keyFile("other", 2)).coldReason())
        .contains("not wrapped by the key");
  }

  @Test
  void shouldShowAFileInTheClear_WhateverTheKey() throws IOException {
    Path file = directory.resolve("flash");
    BlockCacheBuilder builder = BlockCache.builder().flash(file, 8 << 20);
    builder.maxBlockBytes(PAGE).expectedBlockBytes(PAGE).build().close();

    assertThat(FlashInspection.of(file, keys).coldReason()).isEmpty();
  }

  @Test
  void shouldUseNoNonceTwice_WhereverItDies() {
    Nonces nonces = new Nonces();
    SplittableRandom random = new SplittableRandom(25);
    byte[] image = new byte[CAPACITY];
    for (int life = 0; life < 60; life++) {
      image = live(image, random, nonces);
      damageSums(image, random);
    }
    assertThat(nonces.tags).hasSizeGreaterThan(1000);
    assertThat(nonces.twice).isZero();
  }

  /** No cache can know of it; so the generations come again, and the keys don't. */
  @Test
  void shouldUseNoNonceTwice_AfterAMediumWasSetBackOrCloned() {
    Nonces nonces = new Nonces();
    SplittableRandom random = new SplittableRandom(25);
    byte[] image = live(new byte[CAPACITY], random, nonces);
    for (int copy = 0; copy < 4; copy++) {
      byte[] its = image;
      for (int life = 0; life < 3; life++) {
        its = live(its, random, nonces);
      }
    }
    assertThat(nonces.placesTwice).as("places of a generation that were used twice").isPositive();
    assertThat(nonces.twice).isZero();
  }

  /** With a lower limit of generations, and without the headers that tell of the newest one. */
  @Test
  void shouldNotGoOnFromAChangedSuperblock() {
    byte[] left = filled(keys);
    for (int at = 12; at < 4072; at += at < 100 ? 4 : 101) {
      byte[] changed = left.clone();
      for (int copy = 0; copy < 8192; copy += 4096) {
        changed[copy + at] ^= 1;
        CraftedImage.mendSuperblock(changed, copy);
      }
      CrashDisk disk = new CrashDisk(changed);
      try (BlockCache cache = open(disk, keys)) {
        assertThat(cache.control().restore().state()).as("byte %d", at).isEqualTo(State.COLD);
        assertThat(hits(cache)).isZero();
      }
    }
  }

  @Test
  void shouldTakeTheOtherCopyOfASuperblockThatWasChanged() {
    byte[] left = filled(keys);
    int newest = CraftedImage.newestSuperblock(left);
    ByteBuffer.wrap(left).putLong(newest + 40, 1L << 20);
    CraftedImage.mendSuperblock(left, newest);
    try (BlockCache cache = open(new CrashDisk(left), keys)) {
      assertThat(cache.control().restore().state()).isNotEqualTo(State.COLD);
      assertThat(hits(cache)).isPositive();
    }
  }

  @Test
  void shouldNotBelieveAChangedHeaderOfARegion() {
    byte[] left = filled(keys);
    for (int at = 0; at < 96; at += 3) {
      byte[] changed = left.clone();
      for (int header : CraftedImage.regionHeaders(left)) {
        changed[header + at] ^= 1;
      }
      try (BlockCache cache = open(new CrashDisk(changed), keys)) {
        assertThat(cache.control().restore().restoredBlocks()).as("byte %d", at).isZero();
        assertThat(hits(cache)).isZero();
      }
    }
  }

  /** Blocks were sealed under one key for all regions, with nonces that the medium chose. */
  @Test
  void shouldStartColdOnce_AfterTheEarlierFormat() {
    byte[] left = filled(keys);
    for (int copy = 0; copy < 8192; copy += 4096) {
      ByteBuffer.wrap(left).putInt(copy + 8, 3);
      CraftedImage.mendSuperblock(left, copy);
    }
    assertCold(left, keys, "version 3, encrypted under one key");
    CrashDisk disk = new CrashDisk(left);
    try (BlockCache cache = open(disk, keys)) {
      cache.offer(FILE, 0, ByteBuffer.wrap(bytes(0)), Source.READ);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()), keys)) {
      assertThat(cache.control().restore().state()).isNotEqualTo(State.COLD);
      assertThat(hits(cache)).isOne();
    }
  }

  /** Runs a cache until it loses power somewhere, or is closed, and returns what is left. */
  private byte[] live(byte[] image, SplittableRandom random, Nonces nonces) {
    CrashDisk disk = new CrashDisk(image);
    List<byte[]> left = new ArrayList<>();
    int operations = random.nextInt(60);
    disk.observedBy(
        () -> {
          if (left.isEmpty()) {
            nonces.read(disk.afterKill());
            if (disk.operations() >= operations) {
              left.add(disk.afterPowerLoss(random));
            }
          }
        });
    try (BlockCache cache = open(disk, keys)) {
      for (int i = 0; i < 200; i++) {
        long offset = (long) random.nextInt(10_000) * PAGE;
        byte[] bytes = new byte[2000];
        random.nextBytes(bytes);
        cache.offer(FILE, offset, ByteBuffer.wrap(bytes), Source.READ);
      }
    }
    if (left.isEmpty()) {
      nonces.read(disk.afterKill());
      left.add(disk.afterKill());
    }
    return left.get(0);
  }

  /** Has the next cache not believe some headers of regions, which say the newest generation. */
  private static void damageSums(byte[] image, SplittableRandom random) {
    ByteBuffer bytes = ByteBuffer.wrap(image);
    for (int at = 8192; at < image.length; at += Nonces.HEADER) {
      if (bytes.getLong(at) == Nonces.REGION && random.nextInt(3) == 0) {
        image[at + 48] ^= 1;
      }
    }
  }

  /** The blocks that were ever on a disk, each by what its nonce is made of. */
  private static final class Nonces {
    private static final long REGION = 0x4e56_5265_6769_6f6eL;
    private static final int HEADER = 4096;

    /** By the key's salt, generation and place. */
    final Map<List<Long>, List<Long>> tags = new HashMap<>();

    /** By generation and place. */
    final Map<List<Long>, List<Long>> places = new HashMap<>();

    int twice;
    int placesTwice;

    void read(byte[] image) {
      ByteBuffer bytes = ByteBuffer.wrap(image);
      for (int at = 8192; at + HEADER < image.length; at += HEADER) {
        if (bytes.getLong(at) == REGION) {
          readRegion(bytes, at);
        }
      }
    }

    private void readRegion(ByteBuffer bytes, int region) {
      long stamp = bytes.getLong(region + 16) ^ bytes.getLong(region + 40);
      List<Long> salt = List.of(bytes.getLong(region + 48), bytes.getLong(region + 72));
      int end = region + (int) bytes.getLong(region + 24);
      int at = region + HEADER;
      while (at + 32 <= end && bytes.getLong(at + 8) == stamp) {
        List<Long> tag = List.of(bytes.getLong(at + 16), bytes.getLong(at + 24));
        List<Long> place = List.of(stamp, (long) at);
        placesTwice += isOther(places.putIfAbsent(place, tag), tag);
        twice +=
            isOther(
                tags.putIfAbsent(List.of(salt.get(0), salt.get(1), stamp, (long) at), tag), tag);
        at += (32 + bytes.getInt(at + 16) + 63) & -64;
      }
    }

    private static int isOther(@Nullable List<Long> before, List<Long> tag) {
      return before == null || before.equals(tag) ? 0 : 1;
    }
  }
}
