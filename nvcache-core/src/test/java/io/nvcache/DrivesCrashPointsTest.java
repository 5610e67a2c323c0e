// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.Medium;
import io.nvcache.medium.drives.SparseDrives;
import io.nvcache.medium.drives.SparseDrives.Place;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cache on several drives that dies at each write and each flush of any of them, by the end of
 * its process or the loss of power. Each drive is torn by itself. The next cache finds the drives
 * in any order; some are missing, or are copies that were made before the last start. It never
 * gives a block in a version that was invalidated before the crash. The drives that were in the
 * cache that died count as it left them, and no others: those begin empty.
 *
 * <p>At each start there is a drive that counts. {@code -Dnvcache.crashPoints=100000} tries about
 * as many.
 */
@Timeout(3600)
final class DrivesCrashPointsTest {
  private static final int PAGE = 4096;
  private static final int REGION = 64 << 10;
  private static final int MOST = 2 * PAGE;

  /** Of all drives: little more than the least that blocks can be placed in. */
  private static final int REGIONS = 18;

  private static final int FILES = 3;
  private static final int BLOCKS = 16;
  private static final int LIVES = 3;

  /** Roughly as many crashes as the lives of one seed have. */
  private static final int POINTS_PER_SEED = 400;

  private static final int SEEDS =
      Math.max(1, Integer.getInteger("nvcache.crashPoints", 1600) / POINTS_PER_SEED);

  /**
   * A drive between two lives.
   *
   * @param now what the crash left on it
   * @param before what it had before the last life that it was in
   * @param counts whether the next cache is sure to take what is on it now
   */
  private record Left(byte[] now, byte[] before, boolean counts) {}

  /** A place of the next start. */
  private static final class Placed {
    final Left left;
    final @Nullable CrashDisk disk;
    final boolean isCopy;

    Placed(Left left, boolean isMissing, boolean isCopy) {
      this.left = left;
      this.isCopy = isCopy;
      this.disk = isMissing ? null : new CrashDisk(isCopy ? left.before : left.now);
    }

    boolean counts() {
      return disk != null && !isCopy && left.counts;
    }
  }

  /** What a crash leaves. */
  private record Image(List<Left> drives, long[] incarnations, int[][] versions, boolean told) {}

  /** Lives of one cache. */
  private static final class Chain {
    final Random random;
    final SplittableRandom tears;
    final boolean sealed;
    List<Left> drives = new ArrayList<>();

    /** By file: its number, which is another one after it was dropped. */
    long[] incarnations = {1, 2, 3};

    int[][] versions = new int[FILES][BLOCKS];
    long nextIncarnation = 10;

    /** Whether there is an array that some drives can do without the others. */
    boolean exists;

    // Of the present life.
    List<Placed> places = new ArrayList<>();
    boolean told;
    boolean checking;
    @Nullable Throwable failure;
    @Nullable Image chosen;
    int pointsOfLife;

    long points;
    long hits;
    long restored;
    long beganEmpty;

    Chain(Random random, int count) {
      this.random = random;
      this.tears = new SplittableRandom(random.nextLong());
      this.sealed = random.nextInt(3) == 0;
      byte[] blank = new byte[(int) SparseDrives.capacityBytes(REGIONS / count, REGION)];
      for (int i = 0; i < count; i++) {
        drives.add(new Left(blank, blank, false));
      }
    }

    /** Puts drives in their places; one that counts stays as it is. */
    private List<Placed> arrange(List<Left> lefts, boolean some) {
      List<Left> order = new ArrayList<>(lefts);
      List<Placed> arranged = new ArrayList<>();
      if (!some) {
        order.forEach(left -> arranged.add(new Placed(left, false, false)));
        return arranged;
      }
      List<Left> counting = lefts.stream().filter(Left::counts).toList();
      Left kept = counting.get(random.nextInt(counting.size()));
      Collections.shuffle(order, random);
      for (Left left : order) {
        int how = left == kept ? 9 : random.nextInt(6);
        arranged.add(new Placed(left, how == 0, how == 1));
      }
      return arranged;
    }

    private static Medium open(List<Placed> placed) throws IOException {
      List<Place> named = new ArrayList<>();
      for (Placed each : placed) {
        named.add(new Place("drive " + named.size(), each.left.now.length, each.disk));
      }
      return SparseDrives.open(named, REGION);
    }

    private BlockCache build(Medium array) {
      BlockCacheBuilder builder = BlockCache.builder();
      return (sealed ? builder.encrypted(new CraftedMedium.Keys()) : builder)
          .medium(array)
          .placement(BlockPlacement.REGIONS)
          .maxBlockBytes(MOST)
          .expectedBlockBytes(PAGE)
          .maintainedByCaller()
          .maxMediumFailures(Integer.MAX_VALUE)
          .admission(AdmissionPresets.admitAll())
          .build();
    }

    private static FileIdentity identity(long incarnation) {
      return FileIdentity.of("test", Long.toString(incarnation));
    }

    private static long content(long incarnation, int version) {
      return incarnation * 1000 + version;
    }

    /** Every other one fills pages, and has no header. */
    private static int length(int block) {
      return block % 2 == 0 ? (1 + block % 4 / 2) * PAGE : 504 + 400 * block;
    }

    void live() throws IOException {
      places = arrange(drives, exists);
      told = false;
      chosen = null;
      pointsOfLife = 0;
      for (Placed place : places) {
        if (place.disk != null) {
          place.disk.observedBy(this::dies);
        }
      }
      Medium array = open(places);
      try (BlockCache cache = build(array)) {
        array.persist(0, PAGE); // Has the drives told of each other.
        told = true;
        run(cache);
        assertThat(cache.control().health().checksumFailures()).isZero();
        restored += cache.control().restore().restoredBlocks();
      }
      rethrow();
      Image next = random.nextInt(4) == 0 ? image(true) : Objects.requireNonNull(chosen);
      drives = next.drives;
      incarnations = next.incarnations;
      versions = next.versions;
      exists |= next.told;
    }

    private void run(BlockCache cache) {
      long[] ids = new long[FILES];
      for (int file = 0; file < FILES; file++) {
        ids[file] = file + 1;
        cache.identify(ids[file], identity(incarnations[file]));
      }
      cache.control().maintain();
      for (int step = 0; step < 300; step++) {
        rethrow();
        int file = random.nextInt(FILES);
        int block = random.nextInt(BLOCKS);
        long offset = (long) block * MOST;
        int what = random.nextInt(90);
        if (what < 2) {
          cache.invalidate(ids[file], offset);
          versions[file][block]++; // Until it returned, the old one may come back.
        } else if (what == 2) {
          cache.invalidateFile(ids[file]);
          incarnations[file] = nextIncarnation++;
          Arrays.fill(versions[file], 0);
          ids[file] += FILES;
          cache.identify(ids[file], identity(incarnations[file]));
        } else if (what < 12) {
          cache.control().maintain();
        } else if (get(cache, ids[file], incarnations[file], block, versions[file][block]) == 0) {
          long content = content(incarnations[file], versions[file][block]);
          ByteBuffer bytes = TestBlock.of(content, offset, length(block));
          cache.offer(ids[file], offset, bytes, Source.READ);
        }
      }
      cache.control().maintain();
    }

    private void rethrow() {
      if (failure != null) {
        throw new AssertionError(
            "at point " + pointsOfLife + " of a life: " + failure.getMessage(), failure);
      }
    }

    /** Called before each operation of a drive, while the caller of the cache waits for it. */
    private void dies() {
      if (failure != null || checking) {
        return;
      }
      checking = true;
      try {
        Image image = image(random.nextInt(4) == 0);
        points++;
        pointsOfLife++;
        if (random.nextInt(pointsOfLife) == 0) {
          chosen = image;
        }
        check(image);
      } catch (Throwable e) { // Who has it written must not take it for a fault of the drive.
        failure = e;
      } finally {
        checking = false;
      }
    }

    private Image image(boolean isKill) {
      List<Left> lefts = new ArrayList<>();
      for (Placed place : places) {
        CrashDisk disk = place.disk;
        Left left = place.left;
        if (disk == null) {
          lefts.add(new Left(left.now, left.before, false));
        } else {
          byte[] now = isKill ? disk.afterKill() : disk.afterPowerLoss(tears);
          byte[] before = place.isCopy ? left.before : left.now;
          lefts.add(new Left(now, before, told || place.counts()));
        }
      }
      int[][] copy = new int[FILES][];
      Arrays.setAll(copy, file -> versions[file].clone());
      return new Image(lefts, incarnations.clone(), copy, told);
    }

    private void check(Image image) throws IOException {
      boolean some = exists || image.told;
      List<Placed> placed = arrange(image.drives, some);
      Medium array = open(placed);
      int counting = (int) placed.stream().filter(Placed::counts).count();
      if (image.told) {
        assertThat(array.drives().origins()).as("drives that count").isEqualTo(counting);
        beganEmpty += placed.stream().filter(place -> place.disk != null).count() - counting;
      } else {
        assertThat(array.drives().origins())
            .as("drives that count")
            .isGreaterThanOrEqualTo(counting);
      }
      try (BlockCache cache = build(array)) {
        cache.control().maintain();
        for (int file = 0; file < FILES; file++) {
          cache.identify(9 - file, identity(image.incarnations[file]));
          for (int block = 0; block < BLOCKS; block++) {
            long incarnation = image.incarnations[file];
            hits += get(cache, 9 - file, incarnation, block, image.versions[file][block]);
          }
        }
        assertThat(cache.control().health().checksumFailures()).isZero();
        assertThat(cache.control().ledger().contradictions()).isEmpty();
        assertThat(cache.control().health().indexFaults()).isZero();
      }
    }

    private static int get(BlockCache cache, long id, long incarnation, int block, int version) {
      long offset = (long) block * MOST;
      ByteBuffer dst = ByteBuffer.allocate(MOST);
      if (cache.get(id, offset, dst) == BlockCache.MISS) {
        return 0;
      }
      TestBlock.assertMatches(dst.flip(), content(incarnation, version), offset, length(block));
      return 1;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void shouldNotBringABlockBack_WhereverItDies(int drives) {
    long[] sums = new long[4];
    Seeds.each(
        SEEDS,
        seed -> {
          Chain chain = new Chain(seed, drives);
          try {
            for (int life = 0; life < LIVES; life++) {
              chain.live();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          sums[0] += chain.points;
          sums[1] += chain.hits;
          sums[2] += chain.restored;
          sums[3] += chain.beganEmpty;
        });
    assertThat(sums[0]).as("crashes").isGreaterThan(SEEDS * 250L);
    assertThat(sums[1]).as("hits").isGreaterThan(sums[0]);
    assertThat(sums[2]).as("restored").isPositive();
    assertThat(sums[3]).as("drives that began empty").isGreaterThan(sums[0] / 20);
  }
}
