// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.Condition;
import io.nvcache.control.DriveHealth;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.drives.SparseDrives;
import io.nvcache.medium.drives.SparseDrives.Place;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A store that replaces blocks under the same name, over a cache on several drives, through many
 * lives: drives fail at any operation, for once or for good, are missing for some starts and come
 * back with what they had, are exchanged, replaced by new ones, or by copies that were made before
 * the last start. No cache gives a block in a version that was invalidated, and no call throws. At
 * each start there is a drive that served in the last life to its end.
 */
@Timeout(300)
final class DrivesModelTest {
  private static final int PAGE = 4096;
  private static final int REGION = 64 << 10;
  private static final int LENGTH = 3 * PAGE;
  private static final int FILES = 4;
  private static final int BLOCKS = 8;

  /** The reads of the two labels on a drive, when it is opened. */
  private static final int LABELS = 2;

  private static final int LIVES = Integer.getInteger("nvcache.test.lives", 8);
  private static final int SEEDS = Integer.getInteger("nvcache.test.seeds", 150);

  /** A drive, wherever it is. */
  private static final class Drive {
    final int regions;
    SparseMedium medium;

    /** What it was before the last start. */
    SparseMedium copy;

    /** Counts down to the operation that fails; negative: none will. */
    int untilFailure = -1;

    boolean failsForGood;

    Drive(int regions) {
      this.regions = regions;
      this.medium = blank(regions);
      this.copy = medium;
    }

    static SparseMedium blank(int regions) {
      return new SparseMedium(SparseDrives.capacityBytes(regions, REGION), PAGE, REGION);
    }

    void interpose() {
      medium.interpose(
          (operation, offset) -> {
            if (untilFailure > 0) {
              untilFailure--;
            } else if (untilFailure == 0) {
              untilFailure = failsForGood ? 0 : -1;
              throw new IOException("injected");
            }
          });
    }
  }

  private static final class Store {
    final Random random;
    final boolean sealed;
    final List<Drive> drives = new ArrayList<>();
    final int[][] versions = new int[FILES][BLOCKS];
    List<Drive> lastServing = new ArrayList<>();
    List<Drive> places = new ArrayList<>();

    /** The one that served to the end of the last life, and is there. */
    Drive kept;

    @Nullable BlockCache cache;
    int life;
    long hits;
    long restored;

    Store(Random random) {
      this.random = random;
      this.sealed = random.nextInt(3) == 0;
      int count = 2 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        drives.add(new Drive(random.nextBoolean() ? 8 : 12));
      }
      places = new ArrayList<>(drives);
      lastServing = new ArrayList<>(drives);
      kept = drives.get(0);
    }

    void begin(int depth) {
      life++;
      List<Place> named = new ArrayList<>();
      if (life > 1) {
        change();
      }
      List<Drive> missing = missing();
      for (Drive drive : places) {
        drive.untilFailure = -1;
        drive.interpose();
        named.add(
            new Place(
                "drive " + named.size(),
                drive.medium.capacityBytes(),
                missing.contains(drive) ? null : drive.medium));
        if (!missing.contains(drive)) {
          drive.copy = drive.medium.afterKill();
        }
      }
      for (int fault = 0; fault < depth; fault++) {
        Drive faulty = places.get(random.nextInt(places.size()));
        // What can't be read at all is missing: the one that stays shows its labels at least.
        faulty.untilFailure = (faulty == kept ? LABELS : 0) + random.nextInt(60);
        faulty.failsForGood = random.nextBoolean();
      }
      try {
        cache = open(named);
      } catch (UncheckedIOException refused) { // No drive has told of the others, or can be read.
        for (int i = 0; i < places.size(); i++) {
          places.get(i).untilFailure = -1;
          named.get(i).medium.set(places.get(i).medium);
        }
        cache = open(named);
      }
    }

    /** Drives change places, are replaced, or rolled back; one that served to the end stays. */
    private void change() {
      if (random.nextBoolean()) {
        Collections.shuffle(places, random);
      }
      kept = lastServing.get(random.nextInt(lastServing.size()));
      for (Drive drive : places) {
        if (drive != kept) {
          switch (random.nextInt(8)) {
            case 0 -> drive.medium = Drive.blank(drive.regions);
            case 1 -> drive.medium = drive.copy.afterKill();
            case 2 -> drive.medium = copyOf(drive);
            default -> {}
          }
        }
      }
      lastServing = new ArrayList<>(List.of(kept));
    }

    private SparseMedium copyOf(Drive drive) {
      return kept.regions == drive.regions ? kept.medium.afterKill() : drive.medium;
    }

    private List<Drive> missing() {
      List<Drive> missing = new ArrayList<>();
      if (life > 1) {
        for (Drive drive : places) {
          if (!lastServing.contains(drive) && random.nextInt(4) == 0) {
            missing.add(drive);
          }
        }
      }
      return missing;
    }

    private BlockCache open(List<Place> named) {
      BlockCacheBuilder builder = BlockCache.builder();
      try {
        return (sealed ? builder.encrypted(new CraftedMedium.Keys()) : builder)
            .medium(SparseDrives.open(named, REGION))
            .placement(BlockPlacement.REGIONS)
            .maxBlockBytes(4 * PAGE)
            .expectedBlockBytes(PAGE)
            .maintainedByCaller()
            .maxMediumFailures(Integer.MAX_VALUE)
            .admission(AdmissionPresets.admitAll())
            .testing(TestHook.hashSeed(life))
            .build();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    BlockCache cache() {
      return Objects.requireNonNull(cache);
    }

    long id(int file) {
      return 100L * life + file;
    }

    private long content(int file, int block) {
      return file * 1000L + versions[file][block];
    }

    void live() {
      List<Integer> namedFiles = new ArrayList<>();
      int calls = 20 + random.nextInt(60);
      for (int call = 0; call < calls; call++) {
        int file = random.nextInt(FILES);
        int block = random.nextInt(BLOCKS);
        long offset = (long) block * LENGTH;
        int what = random.nextInt(14);
        if (!namedFiles.contains(file)) {
          cache().identify(id(file), FileIdentity.of("test", "file " + file));
          namedFiles.add(file);
        } else if (what == 0) {
          versions[file][block]++;
          cache().invalidate(id(file), offset);
        } else if (what == 1) {
          cache().control().maintain();
        } else if (what == 2) {
          cache().control().returnToService();
        } else if (what < 6) {
          check(file, block);
        } else {
          ByteBuffer bytes = TestBlock.of(content(file, block), offset, LENGTH);
          cache().offer(id(file), offset, bytes, Source.READ);
        }
      }
      cache().control().maintain();
      for (int file : namedFiles) {
        for (int block = 0; block < BLOCKS; block++) {
          check(file, block);
        }
      }
      assertThat(cache().control().ledger().contradictions()).isEmpty();
      restored += cache().stats().restoredBlocks();
    }

    private void check(int file, int block) {
      long offset = (long) block * LENGTH;
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      if (cache().get(id(file), offset, dst) != BlockCache.MISS) {
        hits++;
        TestBlock.assertMatches(dst.flip(), content(file, block), offset, LENGTH);
      }
    }

    void end() {
      if (cache().control().conditions().containsKey(Condition.INVALIDATIONS_UNSAVED)) {
        assertThat(serving()).as("drives that serve").hasSize(1);
        cache().close();
        for (Drive drive : places) { // The operator was told so, and keeps no copy either.
          drive.medium = Drive.blank(drive.regions);
          drive.copy = drive.medium;
        }
        lastServing = new ArrayList<>(places);
        return;
      }
      List<Drive> serving = serving();
      int how = random.nextInt(3);
      if (how == 0) {
        cache().close();
        serving = serving(); // One may be lost in the end.
      }
      List<SparseMedium> left = new ArrayList<>();
      for (Drive drive : places) {
        left.add(how == 1 ? drive.medium.afterPowerLoss() : drive.medium.afterKill());
      }
      if (how != 0) {
        cache().close();
      }
      for (int i = 0; i < places.size(); i++) {
        places.get(i).medium = left.get(i);
      }
      lastServing = serving;
    }

    private List<Drive> serving() {
      List<Drive> serving = new ArrayList<>();
      for (int i = 0; i < places.size(); i++) {
        if (cache().control().health().drives().get(number(i)).serves()) {
          serving.add(places.get(i));
        }
      }
      return serving;
    }

    /** Returns the number of the drive at a place, by its name. */
    private int number(int place) {
      List<DriveHealth> all = cache().control().health().drives();
      for (int number = 0; number < all.size(); number++) {
        if (all.get(number).name().equals("drive " + place)) {
          return number;
        }
      }
      throw new AssertionError("no drive " + place);
    }
  }

  @Test
  void shouldNotBringABlockBack_WithSoundDrives() {
    run(0);
  }

  @Test
  void shouldNotBringABlockBack_WhicheverDriveFails() {
    run(1);
  }

  @Test
  void shouldNotBringABlockBack_WhicheverTwoFail() {
    run(2);
  }

  private static void run(int depth) {
    long[] sums = new long[2];
    Seeds.each(
        SEEDS,
        seed -> {
          Store store = new Store(seed);
          for (int life = 0; life < LIVES; life++) {
            store.begin(depth);
            store.live();
            store.end();
          }
          sums[0] += store.hits;
          sums[1] += store.restored;
        });
    assertThat(sums[0]).as("hits").isPositive();
    assertThat(sums[1]).as("restored").isPositive();
  }
}
