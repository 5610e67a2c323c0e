// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.RestoreReport;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.KeySource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cache that dies at each write and each flush of its medium, by the end of its process or the
 * loss of power, with files that are dropped and created and blocks that are invalidated: the next
 * one never gives other bytes than those that were offered, and every block that it restores can be
 * read, since no disk here changes what it keeps. What a restart leaves is used further, and may
 * die again.
 *
 * <p>{@code -Dnvcache.crashPoints=100000} tries as many.
 */
@Timeout(3600)
final class CrashPointsTest {
  private static final int CAPACITY = 1 << 20;
  private static final int PAGE = 4096;
  private static final int BLOCKS = 60;
  private static final int NAMES = 6;
  private static final int POINTS = Integer.getInteger("nvcache.crashPoints", 1500);

  /** Until a mutant has to be caught. */
  private static final int MUTANT_POINTS = 5000;

  /** The images of one life that are tried, one in so many; the others cost a clone. */
  private static final int MAX_IMAGES_PER_LIFE = 60;

  private final SplittableRandom random = new SplittableRandom(25);

  /** By the files' names: the incarnation that there is now, whose number its bytes are made of. */
  private final long[] incarnations = new long[NAMES];

  private long nextIncarnation = 1;
  private long restored;
  private long hits;

  /** What a file is known by: its bytes, or, in a mutant, where they lie. */
  private boolean identifiesByPath;

  /** Seals the regions; null if they are not. */
  private @Nullable KeySource keys;

  /** Whether dead regions are discarded; then there are many. */
  private boolean discards;

  private long discarded;

  private BlockCache open(CrashDisk disk) {
    BlockCacheBuilder builder = WarmRestartTest.builder(disk);
    if (discards) {
      builder.discardBytesPerSecond(Long.MAX_VALUE);
    }
    return (keys == null ? builder : builder.encrypted(keys)).build();
  }

  private FileIdentity identity(int name, long incarnation) {
    return identifiesByPath
        ? FileIdentity.of("path", Integer.toString(name))
        : FileIdentity.of("test", Long.toString(incarnation));
  }

  /** Every third one fills a page, and has no header. */
  private static int length(long incarnation, int block) {
    return block % 3 == 0 ? PAGE : TestBlock.length(incarnation, (long) block * PAGE, 64, PAGE - 8);
  }

  /** What is left of a cache, and the files that there were. */
  private record Image(byte[] bytes, long[] incarnations) {}

  @Test
  void shouldNeverGiveOtherBytes_WhereverItDies() {
    die(POINTS);
    assertThat(restored).isGreaterThan(POINTS);
    assertThat(hits).isGreaterThan(POINTS);
  }

  @Test
  void shouldNeverGiveOtherBytes_WhereverItDies_IfTheyAreSealed() {
    keys =
        new KeySource() {
          @Override
          public byte[] wrap(byte[] key) {
            return key.clone();
          }

          @Override
          public byte[] unwrap(byte[] wrapped) {
            return wrapped.clone();
          }
        };
    die(POINTS / 5);
    assertThat(restored).isGreaterThan(POINTS / 5);
    assertThat(hits).isGreaterThan(POINTS / 5);
  }

  /** A discard leaves anything, and is reordered and torn as writes are. */
  @Test
  void shouldNeverGiveOtherBytes_WhereverItDies_IfDeadRegionsAreDiscarded() {
    discards = true;
    die(POINTS);
    assertThat(restored).isGreaterThan(POINTS);
    assertThat(hits).isGreaterThan(POINTS);
    assertThat(discarded).isGreaterThan(POINTS / 20);
  }

  /** The test would notice: a file that is dropped and created again has the path of the first. */
  @Test
  void shouldCatchAnIdentityOfPaths() {
    identifiesByPath = true;
    assertThatThrownBy(() -> die(MUTANT_POINTS)).isInstanceOf(AssertionError.class);
  }

  private void die(int mostPoints) {
    int points = 0;
    byte[] image = new byte[CAPACITY];
    while (points < mostPoints) {
      List<Image> images = live(new CrashDisk(image));
      for (Image left : images) {
        check(new CrashDisk(left.bytes), left.incarnations);
        points++;
      }
      Image next = images.get(random.nextInt(images.size()));
      image = next.bytes;
      System.arraycopy(next.incarnations, 0, incarnations, 0, NAMES);
    }
  }

  /** Runs a cache for a while, and returns what it would have left at some of its operations. */
  private List<Image> live(CrashDisk disk) {
    List<Image> images = new ArrayList<>();
    int oneIn = 1 + random.nextInt(8);
    disk.observedBy(
        () -> {
          if (images.size() < MAX_IMAGES_PER_LIFE && random.nextInt(oneIn) == 0) {
            byte[] left = random.nextInt(4) == 0 ? disk.afterKill() : disk.afterPowerLoss(random);
            images.add(new Image(left, incarnations.clone()));
          }
        });
    try (BlockCache cache = open(disk)) {
      long firstId = 1000L * nextIncarnation;
      long[] ids = new long[NAMES];
      for (int name = 0; name < NAMES; name++) {
        if (incarnations[name] == 0) {
          incarnations[name] = nextIncarnation++;
        }
        ids[name] = firstId++;
        cache.identify(ids[name], identity(name, incarnations[name]));
      }
      int steps = 200 + random.nextInt(1200);
      for (int step = 0; step < steps; step++) {
        if (discards && random.nextInt(200) == 0) {
          for (int name = 0; name < NAMES; name++) {
            cache.invalidateFile(ids[name]);
            incarnations[name] = nextIncarnation++;
            ids[name] = firstId++;
            cache.identify(ids[name], identity(name, incarnations[name]));
          }
          cache.control().maintain();
        }
        int name = random.nextInt(NAMES);
        int block = random.nextInt(BLOCKS);
        long offset = (long) block * PAGE;
        int length = length(incarnations[name], block);
        switch (random.nextInt(80)) {
          case 0 -> { // DROP and CREATE.
            cache.invalidateFile(ids[name]);
            incarnations[name] = nextIncarnation++;
            ids[name] = firstId++;
            cache.identify(ids[name], identity(name, incarnations[name]));
          }
          case 1 -> cache.control().maintain();
          default -> {
            ByteBuffer dst = ByteBuffer.allocate(PAGE);
            if (cache.get(ids[name], offset, dst) == BlockCache.MISS) {
              ByteBuffer bytes = TestBlock.of(incarnations[name], offset, length);
              cache.offer(ids[name], offset, bytes, Source.READ);
            } else {
              TestBlock.assertMatches(dst.flip(), incarnations[name], offset, length);
            }
          }
        }
      }
      assertThat(cache.control().health().checksumFailures()).isZero();
    }
    discarded += disk.discards().size();
    images.add(new Image(disk.afterKill(), incarnations.clone()));
    return images;
  }

  private void check(CrashDisk disk, long[] files) {
    try (BlockCache cache = open(disk)) {
      boolean early = random.nextBoolean();
      if (!early) {
        cache.control().maintain();
      }
      for (int name = 0; name < NAMES; name++) {
        if (files[name] != 0) {
          cache.identify(NAMES - name, identity(name, files[name]));
        }
      }
      if (early) {
        cache.control().maintain();
      }
      ByteBuffer dst = ByteBuffer.allocate(PAGE);
      for (int name = 0; name < NAMES; name++) {
        for (int block = 0; block < BLOCKS && files[name] != 0; block++) {
          long offset = (long) block * PAGE;
          if (cache.get(NAMES - name, offset, dst.clear()) != BlockCache.MISS) {
            hits++;
            TestBlock.assertMatches(dst.flip(), files[name], offset, length(files[name], block));
          }
        }
      }
      RestoreReport report = cache.control().restore();
      restored += report.restoredBlocks();
      assertThat(cache.control().health().checksumFailures()).as("%s", report).isZero();
      assertThat(cache.control().ledger().contradictions()).as("%s", report).isEmpty();
      assertThat(cache.control().health().indexFaults()).isZero();
    }
  }
}
