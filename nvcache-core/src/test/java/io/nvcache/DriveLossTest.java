// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.Condition;
import io.nvcache.control.DriveHealth;
import io.nvcache.control.MissReason;
import io.nvcache.control.TuningBounds;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.drives.SparseDrives;
import io.nvcache.medium.drives.SparseDrives.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A drive of several that fails takes its blocks with it, and nothing else. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class DriveLossTest {
  private static final int PAGE = 4096;
  private static final int REGION = 64 << 10;
  private static final int REGIONS = 40;
  private static final int LENGTH = 4000;
  private static final long FILE = 7;
  private static final FileIdentity IDENTITY = FileIdentity.of("test", "file");

  /** About three quarters of the cache. */
  private static final int BLOCKS = 800;

  private final AtomicLong nanos = new AtomicLong();
  private final List<FaultyMedium> drives = new ArrayList<>();
  private final List<SparseMedium> inner = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  private void drives(int... regions) {
    for (int count : regions) {
      SparseMedium medium = blank(count);
      inner.add(medium);
      FaultyMedium drive = new FaultyMedium(medium);
      drives.add(drive);
      places.add(new Place("drive " + places.size(), medium.capacityBytes(), drive));
    }
  }

  private static SparseMedium blank(int regions) {
    return new SparseMedium(SparseDrives.capacityBytes(regions, REGION), 4096, REGION);
  }

  /** What a kill leaves, in the same places. */
  private void restart() {
    for (int i = 0; i < places.size(); i++) {
      SparseMedium left = inner.get(i).afterKill();
      inner.set(i, left);
      drives.set(i, new FaultyMedium(left));
      places.get(i).medium.set(drives.get(i));
    }
  }

  private BlockCacheBuilder builder() throws IOException {
    return builder(SparseDrives.open(places, REGION));
  }

  private BlockCacheBuilder builder(Medium medium) {
    return BlockCache.builder()
        .medium(medium)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4)
        .testing(TestHook.nanoTime(nanos::get))
        .admission(AdmissionPresets.admitAll());
  }

  private BlockCache build() throws IOException {
    BlockCache cache = builder().maintainedByCaller().build();
    cache.identify(FILE, IDENTITY);
    return cache;
  }

  private static OfferResult offer(BlockCache cache, long block) {
    return cache.offer(FILE, block * PAGE, TestBlock.of(FILE, block * PAGE, LENGTH), Source.READ);
  }

  private static boolean get(BlockCache cache, long block) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    boolean hit = cache.get(FILE, block * PAGE, dst) != BlockCache.MISS;
    if (hit) {
      TestBlock.assertMatches(dst.flip(), FILE, block * PAGE, LENGTH);
    }
    return hit;
  }

  private static int hits(BlockCache cache) {
    int hits = 0;
    for (int block = 0; block < BLOCKS; block++) {
      hits += get(cache, block) ? 1 : 0;
    }
    return hits;
  }

  private static void fill(BlockCache cache) {
    for (int block = 0; block < BLOCKS; block++) {
      offer(cache, block);
    }
    cache.control().maintain();
  }

  /** A round of the background work, a second after the last. */
  private void round(BlockCache cache) {
    nanos.addAndGet(1_000_000_000);
    cache.control().maintain();
  }

  private static long lost(BlockCache cache) {
    return cache.control().health().drives().stream().filter(drive -> !drive.serves()).count();
  }

  private static void assertServes(BlockCache cache) {
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
    assertThat(cache.control().health().outages()).isZero();
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  @Test
  void shouldSpreadRegionsByWhatIsFree() throws IOException {
    drives(REGIONS, 3 * REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      assertThat(hits(cache)).isEqualTo(BLOCKS);
      long small = drives.get(0).writtenBytes.get();
      long large = drives.get(1).writtenBytes.get();
      assertThat((double) large / small).isBetween(2.0, 4.0);
      assertServes(cache);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"READ_ERROR", "READ_THROWS", "READ_GONE"})
  void shouldLoseADriveThatCantBeRead(Fault fault) throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      assertThat(hits(cache)).isEqualTo(BLOCKS);
      drives.get(0).inject(fault);
      int left = hits(cache);
      assertThat(left).isBetween(BLOCKS * 4 / 10, BLOCKS * 7 / 10);
      round(cache);
      assertThat(lost(cache)).isEqualTo(1);
      assertThat(cache.control().ledger().misses(MissReason.DRIVE_FAILED)).isPositive();
      assertThat(hits(cache)).isBetween(BLOCKS * 4 / 10, left); // What was in its buffer goes, too.
      assertThat(cache.control().conditions().get(Condition.DRIVE_LOST)).contains("drive 0");
      long usable = (long) REGIONS * REGION;
      assertThat(cache.stats().capacityBytes()).isBetween(usable, usable + 3 * PAGE);
      assertThat(cache.stats().usedBytes()).isLessThanOrEqualTo(cache.stats().capacityBytes());
      long reads = drives.get(0).reads.get();
      fill(cache);
      assertThat(hits(cache)).isGreaterThan(BLOCKS * 4 / 10);
      assertThat(drives.get(0).reads.get()).as("a lost drive is not read").isEqualTo(reads);
      assertServes(cache);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"WRITE_ERROR", "OUT_OF_SPACE", "PERSIST_ERROR", "WRITE_THROWS", "WRITE_GONE"})
  void shouldLoseADriveThatCantBeWritten(Fault fault) throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      drives.get(1).inject(fault);
      fill(cache);
      round(cache);
      assertThat(lost(cache)).isEqualTo(1);
      fill(cache);
      assertThat(hits(cache)).isGreaterThan(BLOCKS * 4 / 10);
      assertServes(cache);
    }
  }

  @Test
  void shouldLoseADriveThatSaysSo() throws IOException {
    drives(REGIONS, REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      drives.get(2).broken = "it was deleted";
      round(cache);
      assertThat(lost(cache)).isEqualTo(1);
      round(cache);
      assertThat(cache.control().conditions().get(Condition.DRIVE_LOST)).contains("it was deleted");
      assertThat(hits(cache)).isBetween(BLOCKS * 6 / 10, BLOCKS * 7 / 10);
      assertThat(cache.control().ledger().driveLossBlocks()).isPositive();
      assertServes(cache);
    }
  }

  /** One error is no reason to lose a drive with all its blocks. */
  @Test
  void shouldKeepADriveThatFailsOnce() throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      AtomicInteger left = new AtomicInteger(1);
      inner
          .get(0)
          .interpose(
              (operation, offset) -> {
                if (left.getAndDecrement() > 0) {
                  throw new IOException("injected");
                }
              });
      hits(cache);
      fill(cache);
      round(cache);
      assertThat(lost(cache)).isZero();
      assertThat(hits(cache)).isEqualTo(BLOCKS);
      assertServes(cache);
    }
  }

  /** That one is lost is written to the others; what can't be written can be read. */
  @Test
  void shouldReadTheLastDriveWhileItsLabelsCantBeWritten() throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      drives.get(0).failWrites = true;
      drives.get(1).broken = "gone";
      for (int i = 0; i < 3; i++) {
        round(cache);
        assertThat(lost(cache)).isEqualTo(1);
        assertThat(hits(cache)).isBetween(BLOCKS * 4 / 10, BLOCKS * 6 / 10);
      }
      drives.get(0).failWrites = false;
      round(cache);
      assertThat(hits(cache)).isBetween(BLOCKS * 4 / 10, BLOCKS * 6 / 10);
      assertThat(cache.control().ledger().driveLossBlocks()).isPositive();
      assertServes(cache);
    }
  }

  /** As a medium of one drive does: it is left alone, and tried again. */
  @Test
  void shouldGoOutOfServiceWithTheLastDrive() throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      drives.get(0).broken = "gone";
      round(cache);
      assertThat(lost(cache)).isEqualTo(1);
      drives.get(1).broken = "gone, too";
      round(cache);
      assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.OUT_OF_SERVICE);
      assertThat(cache.control().health().reason()).contains("gone, too");
      drives.get(1).broken = null;
      for (int i = 0; i < 5; i++) {
        round(cache);
      }
      assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.SERVING);
      assertThat(hits(cache)).isPositive();
    }
  }

  @Test
  void shouldTakeADriveBackWhenItIsAsked() throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      drives.get(0).broken = "gone";
      round(cache);
      cache.control().returnToService();
      round(cache);
      drives.get(0).broken = null;
      drives.get(0).inject(Fault.READ_ERROR);
      drives.get(0).heal();
      cache.control().returnToService();
      round(cache);
      assertThat(lost(cache)).as("%s", cache.control().health()).isZero();
      assertThat(cache.control().conditions()).doesNotContainKey(Condition.DRIVE_LOST);
      assertThat(hits(cache)).as("it is empty").isLessThan(BLOCKS * 7 / 10);
      for (int i = 0; i < 4; i++) {
        fill(cache);
        round(cache);
      }
      assertThat(hits(cache)).isEqualTo(BLOCKS);
      assertThat(cache.stats().capacityBytes()).isGreaterThan(2L * REGIONS * REGION);
      assertServes(cache);
    }
    restart();
    try (BlockCache cache = build()) {
      cache.control().maintain();
      assertThat(hits(cache)).isEqualTo(BLOCKS);
    }
  }

  /** Its file may be filled first: for as long, the others would take no block. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAdmitWhileADriveIsTakenBack(boolean maintainedByCaller) throws Exception {
    drives(REGIONS, REGIONS);
    BlockCacheBuilder builder = builder();
    try (BlockCache cache = (maintainedByCaller ? builder.maintainedByCaller() : builder).build()) {
      loseFirst(cache);
      AtomicInteger admitted = new AtomicInteger(-1);
      places.get(0).opening.set(() -> admitted.set(admittedInTime(cache)));
      until(() -> admitted.get() >= 0, () -> askBack(cache));
      assertThat(admitted.get()).isEqualTo(BLOCKS);
      until(() -> lost(cache) == 0, Thread::onSpinWait);
      assertServes(cache);
    }
  }

  /** Without a clock that passes: other threads would count as stuck. */
  private void loseFirst(BlockCache cache) {
    drives.get(0).failWrites = true;
    until(() -> lost(cache) == 1, () -> fill(cache));
    drives.get(0).failWrites = false;
  }

  private static void askBack(BlockCache cache) {
    cache.control().returnToService();
    cache.control().maintain();
  }

  /** Waits for what another thread does, and fails if it takes too long. */
  private static void until(BooleanSupplier isSo, Runnable meanwhile) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!isSo.getAsBoolean()) {
      assertThat(System.nanoTime()).as("awaited in vain").isLessThan(end);
      meanwhile.run();
    }
  }

  /** Returns how many blocks of another file are admitted within some time. */
  private static int admittedInTime(BlockCache cache) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    int admitted = 0;
    while (admitted < BLOCKS && System.nanoTime() < end) {
      long at = (long) admitted * PAGE;
      OfferResult result =
          cache.offer(FILE + 1, at, TestBlock.of(FILE + 1, at, LENGTH), Source.READ);
      admitted += result == OfferResult.ADMITTED ? 1 : 0;
    }
    return admitted;
  }

  /** It may be filling a file, and has that for nothing. */
  @Test
  void shouldNotWaitAtItsEndForADriveThatIsTakenBack() throws Exception {
    drives(REGIONS, REGIONS);
    CountDownLatch isOpening = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    BlockCache cache = builder().build();
    loseFirst(cache);
    places
        .get(0)
        .opening
        .set(
            () -> {
              isOpening.countDown();
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
                throw new IOException("interrupted", e);
              }
            });
    until(() -> isOpening.getCount() == 0, () -> askBack(cache));
    cache.close();
    assertThat(interrupted).isTrue();
    assertThat(drives.get(1).closed.get()).as("the other is closed").isEqualTo(1);
  }

  /** The others come back whole; the one that was missing comes back empty, and then is filled. */
  @Test
  void shouldComeBackEmptyAfterAStartWithout() throws IOException {
    drives(REGIONS, REGIONS);
    int first;
    try (BlockCache cache = build()) {
      fill(cache);
      first = hits(cache);
      assertThat(first).isEqualTo(BLOCKS);
    }
    restart();
    Medium missing = places.get(1).medium.getAndSet(null);
    int without;
    try (BlockCache cache = build()) {
      cache.control().maintain();
      without = hits(cache);
      assertThat(without).isBetween(BLOCKS * 4 / 10, BLOCKS * 6 / 10);
      round(cache);
      assertThat(cache.control().conditions().get(Condition.DRIVE_LOST)).contains("drive 1");
      cache.invalidate(FILE, 0);
      assertServes(cache);
    }
    restart();
    places.get(1).medium.set(missing);
    try (BlockCache cache = build()) {
      cache.control().maintain();
      assertThat(lost(cache)).isZero();
      assertThat(hits(cache)).as("of an invalidated file").isZero();
      fill(cache);
      assertThat(hits(cache)).isEqualTo(BLOCKS);
      assertServes(cache);
    }
  }

  /** A thread that writes to the drive is not kept; nor do offers have to wait for it. */
  @Test
  void shouldGoOnWithoutADriveThatHangsInAWrite() throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache =
        builder(SparseDrives.open(places, REGION, 300)).maintainedByCaller().build()) {
      offer(cache, 0);
      cache.control().maintain();
      drives.get(1).inject(Fault.STUCK_WRITE);
      fill(cache);
      round(cache);
      assertThat(cache.control().health().drives().get(1))
          .extracting(DriveHealth::serves, DriveHealth::trouble)
          .satisfies(state -> assertThat(state.toString()).contains("has not answered"));
      fill(cache);
      assertThat(hits(cache)).isGreaterThan(BLOCKS * 4 / 10);
      cache.control().returnToService();
      round(cache);
      assertThat(lost(cache)).as("it still hangs").isEqualTo(1);
      drives.get(1).heal();
      assertServes(cache);
    }
  }

  /** Calls that a lost drive keeps do not count against the cache. */
  @Test
  void shouldGoOnWithoutADriveThatHangsInReads() throws Exception {
    drives(REGIONS, REGIONS);
    BlockCache cache =
        builder().mediumStuckAfter(Duration.ofSeconds(4)).maintainedByCaller().build();
    fill(cache);
    drives.get(0).inject(Fault.STUCK_READ);
    List<Thread> stuck = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int first = i * BLOCKS / 4; // None joins another's read, which it would wait for.
      Thread thread =
          new Thread(
              () -> {
                for (int block = first; block < first + BLOCKS / 4; block++) {
                  get(cache, block);
                }
              });
      thread.setDaemon(true);
      thread.start();
      stuck.add(thread);
    }
    while (drives.get(0).injected.get() < stuck.size()) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < 12; i++) {
      round(cache);
    }
    assertThat(lost(cache)).isEqualTo(1);
    assertThat(hits(cache)).isGreaterThan(BLOCKS * 4 / 10);
    drives.get(0).heal();
    for (Thread thread : stuck) {
      thread.join();
    }
    assertServes(cache);
    cache.close();
  }

  /** What it measures is what a reader sees: nobody reads a lost drive. */
  @Test
  void shouldMeasureTheOthersToTune() throws IOException {
    drives(REGIONS, REGIONS);
    try (BlockCache cache = build()) {
      fill(cache);
      cache.control().tuning().start(new TuningBounds(0.01, 0.5, Duration.ofMillis(1)));
      int seconds = 20;
      for (int i = 0; i < seconds; i++) {
        round(cache);
      }
      assertThat(cache.control().tuning().report().samples()).as("all serve").isEqualTo(seconds);
      drives.get(0).broken = "gone";
      for (int i = 0; i < seconds; i++) {
        round(cache);
      }
      assertThat(lost(cache)).isEqualTo(1);
      assertThat(cache.control().tuning().report().samples()).isEqualTo(2 * seconds);
    }
  }

  @Test
  void shouldRefuseWhatPutsBlocksElsewhereThanInRegions() throws IOException {
    drives(REGIONS, REGIONS);
    BlockCacheBuilder inPlace =
        BlockCache.builder()
            .medium(SparseDrives.open(places, REGION))
            .placement(BlockPlacement.IN_PLACE);
    assertThatThrownBy(inPlace::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has several drives, on which blocks are placed in regions");
    BlockCacheBuilder encrypted =
        BlockCache.builder().medium(SparseDrives.open(places, REGION)).encrypted();
    assertThatThrownBy(encrypted::build).hasMessageContaining("encrypt under a key source");
  }

  /** A million operations, each checked, with a drive of two pulled in the middle. */
  @Test
  void shouldServeTheRestWhileADriveIsPulled() throws Exception {
    drives(REGIONS, REGIONS);
    int perThread = Integer.getInteger("nvcache.test.operations", 1_200_000) / 4;
    AtomicLong lookups = new AtomicLong();
    AtomicLong hits = new AtomicLong();
    AtomicInteger failedCalls = new AtomicInteger();
    AtomicBoolean pulled = new AtomicBoolean();
    try (BlockCache cache =
        BlockCache.builder()
            .medium(SparseDrives.open(places, REGION))
            .placement(BlockPlacement.REGIONS)
            .maxBlockBytes(PAGE)
            .expectedBlockBytes(PAGE / 4)
            .admission(AdmissionPresets.admitAll())
            .build()) {
      cache.identify(FILE, IDENTITY);
      for (int pass = 0; pass < 3; pass++) {
        for (int block = 0; block < BLOCKS; block++) {
          while (offer(cache, block) == OfferResult.MEDIUM_BUSY) {
            Thread.onSpinWait();
          }
        }
      }
      long readsBefore = drives.get(0).reads.get();
      assertThat(hits(cache)).isEqualTo(BLOCKS);
      // Regions go to the drive with fewer calls inside, so a busy machine splits them unevenly.
      double share = (double) (drives.get(0).reads.get() - readsBefore) / BLOCKS;
      assertThat(share).isBetween(0.25, 0.75);
      List<Thread> threads = new ArrayList<>();
      AtomicInteger begun = new AtomicInteger();
      for (int i = 0; i < 4; i++) {
        SplittableRandom random = new SplittableRandom(i);
        Thread thread =
            new Thread(
                () -> {
                  for (int op = 0; op < perThread; op++) {
                    if (begun.incrementAndGet() == 2 * perThread) {
                      pulled.set(true); // First: from now on a miss is no failure.
                      drives.get(1).inject(Fault.READ_ERROR);
                      drives.get(1).failWrites = true;
                      drives.get(1).broken = "pulled";
                    }
                    boolean before = !pulled.get();
                    int block = random.nextInt(BLOCKS);
                    try {
                      boolean hit = get(cache, block);
                      assertThat(hit || !before || pulled.get()).isTrue();
                      if (!before) {
                        lookups.incrementAndGet();
                        hits.addAndGet(hit ? 1 : 0);
                      }
                    } catch (RuntimeException | Error e) {
                      failedCalls.incrementAndGet();
                    }
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failedCalls.get()).as("wrong or failed").isZero();
      double left = (double) hits.get() / lookups.get();
      assertThat(left).as("of %d lookups", lookups.get()).isGreaterThan(share - 0.02);
      assertThat(cache.control().health().outages()).isZero();
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }
}
