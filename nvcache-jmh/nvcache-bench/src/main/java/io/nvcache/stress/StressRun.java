// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.control.CacheHealth;
import io.nvcache.device.MediumChoice;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has threads use a cache at random for as long as was asked for, in the manner of RocksDB's
 * db_stress: every answer is checked, settings change while it runs, the medium misbehaves, and at
 * the end of each round the cache is closed under its users and replaced by one that is configured
 * otherwise. Before that, in every other round, the users stop, all is forgotten, and nothing may
 * be left.
 */
public final class StressRun {
  /** Of so many pins, one at least is looked at in place. */
  private static final long MANY_PINS = 10_000;

  /** What a slot is longer than its block, at most: as much as that, and a granule. */
  private static final long SLOT_GRANULE_BYTES = 1 << 10;

  /** The cache withholds no more than this part of its medium. */
  private static final long QUARANTINE_SHARE = 16;

  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Much longer than any fault lasts: what is inside by that time stays there. */
  private static final Duration HANGS_AFTER = Duration.ofMinutes(2);

  private final Settings settings;
  private final Consumer<String> log;
  private final StopSignal stop;
  private final StressTally tally = new StressTally();
  private final StressFiles files = new StressFiles();
  private final Map<StressFault, LongAdder> injected = new EnumMap<>(StressFault.class);
  private final HealthSum health = new HealthSum();
  private volatile BlockCache cache;
  private final StressRound rounds;
  private final SplittableRandom random;

  /**
   * Prepares a run.
   *
   * @param log gets a line a round
   * @param stop ends the run early
   */
  public StressRun(Settings settings, Consumer<String> log, StopSignal stop) throws IOException {
    this.settings = settings;
    this.log = log;
    this.stop = stop;
    for (StressFault fault : StressFault.values()) {
      injected.put(fault, new LongAdder());
    }
    this.rounds = new StressRound(settings, injected);
    this.random = new SplittableRandom(settings.seed());
    this.cache = rounds.build(0, random);
  }

  /** Runs to the end. */
  public Result run() throws IOException, InterruptedException {
    try {
      return runRounds();
    } catch (IOException e) {
      cache.close(); // The next one can't be opened, and the file of this one would stay.
      awaitMedia();
      throw e;
    }
  }

  private Result runRounds() throws IOException, InterruptedException {
    long began = System.nanoTime();
    long endsAt = began + settings.duration().toNanos();
    ProcessMemory first = null;
    ProcessMemory last = ProcessMemory.now();
    int round = 0;
    while (System.nanoTime() < endsAt && !isOver()) {
      round++;
      Users users = new Users();
      long half = settings.round().toNanos() / 2;
      users.runUntil(Math.min(endsAt, System.nanoTime() + half));
      boolean isPulled = round % 2 == 1 && rounds.pullDrive(random);
      users.runUntil(Math.min(endsAt, System.nanoTime() + half));
      BlockCache old = cache;
      if (isPulled) {
        awaitLoss(old);
      }
      if (round % 2 == 0) {
        users.end();
        forgetAll(old);
        cache = rounds.build(round, random);
        old.close();
      } else {
        try {
          cache = rounds.build(round, random);
          closeUnderUsers(old);
        } finally {
          users.end(); // Pins of theirs would keep the old medium's file.
        }
      }
      judge(old.control().health());
      last = ProcessMemory.now();
      first = first == null ? last : first;
      log.accept(line(round, (System.nanoTime() - began) / 1_000_000_000L, last));
    }
    BlockCache left = cache;
    left.close();
    judge(left.control().health());
    judgePins();
    awaitMedia();
    return new Result(
        settings,
        (System.nanoTime() - began) / 1e9,
        round,
        tally.counts(),
        faults(),
        health.counts(),
        first == null ? last : first,
        last,
        tally.violations(),
        tally.explanation());
  }

  /** A cache looks at its drives once a second, and on a busy machine somewhat later. */
  private void awaitLoss(BlockCache ofDrives) throws InterruptedException {
    long began = System.nanoTime();
    while (lostDrives(ofDrives.control().health()) == 0 && !isOver()) {
      if (System.nanoTime() - began > GIVE_UP_NANOS) {
        tally.unexpected.increment();
        tally.explain("a drive that was pulled was not missed");
        return;
      }
      Thread.sleep(20);
    }
  }

  private static long lostDrives(CacheHealth health) {
    return health.drives().stream().filter(drive -> !drive.serves()).count();
  }

  private boolean isOver() {
    return stop.isRequested() || tally.violations() > 0;
  }

  /**
   * Media whose pins handed out buffers are closed when the garbage collector has found the last of
   * those; one that never is was leaked.
   */
  private void awaitMedia() throws InterruptedException {
    long began = System.nanoTime();
    while (rounds.openMedia() > 0 && System.nanoTime() - began < GIVE_UP_NANOS) {
      System.gc();
      Thread.sleep(50);
    }
    if (rounds.openMedia() > 0) {
      tally.unexpected.increment();
      tally.explain(rounds.openMedia() + " media were not closed");
    }
  }

  /** Closing waits for the calls inside: one that hangs must not take the run with it. */
  private static void closeUnderUsers(BlockCache old) throws InterruptedException {
    try {
      CompletableFuture.runAsync(old::close).get(HANGS_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IllegalStateException("closing the cache under its users failed: " + e, e);
    }
  }

  /** A medium that changes bytes may change free space as well, but never the index. */
  private void judge(CacheHealth seen) {
    health.add(seen);
    boolean blameless = settings.faults().stream().noneMatch(StressFault::corrupts);
    if (seen.indexFaults() > 0 || (blameless && seen.spaceFaults() > 0)) {
      tally.unexpected.increment();
      tally.explain("found by the debug checks: " + seen);
    }
  }

  /** A run whose pins are copies says nothing about pins. */
  private void judgePins() {
    if (rounds.pinsInPlace() && tally.pins.sum() >= MANY_PINS && tally.pinsInPlace.sum() == 0) {
      tally.unexpected.increment();
      tally.explain("none of " + tally.pins.sum() + " pins was on the medium's memory");
    }
  }

  private Map<String, Long> faults() {
    Map<String, Long> counts = new LinkedHashMap<>();
    settings.faults().stream()
        .sorted()
        .forEach(fault -> counts.put(fault.label(), injected(fault)));
    return counts;
  }

  private long injected(StressFault fault) {
    LongAdder count = injected.get(fault);
    return count == null ? 0 : count.sum();
  }

  private String line(int round, long seconds, ProcessMemory memory) {
    return String.format(
        "%d s, round %d: %,d operations, %,d hits, %,d faults injected, %d outages,"
            + " %d violations; RSS %d MiB, %d mappings",
        seconds,
        round,
        tally.operations(),
        tally.hits.sum(),
        injected.values().stream().mapToLong(LongAdder::sum).sum(),
        health.counts().get("outages"),
        tally.violations(),
        memory.residentBytes() >> 20,
        memory.mappings());
  }

  /** Nobody uses the cache: what is forgotten must leave nothing but what was quarantined. */
  private void forgetAll(BlockCache quiet) {
    for (long fileId = 1; fileId <= files.lastId(); fileId++) {
      quiet.invalidateFile(fileId);
    }
    quiet.control().maintain();
    CacheStats stats = quiet.stats();
    CacheHealth health = quiet.control().health();
    // Never more than the quarantine may withhold, whatever the blocks' lengths.
    long quarantinedBytes =
        Math.min(
            2 * health.quarantinedBytes() + health.quarantinedBlocks() * SLOT_GRANULE_BYTES,
            stats.capacityBytes() / QUARANTINE_SHARE);
    if (stats.blocks() != 0
        || stats.blockBytes() != 0
        || stats.pinnedBytes() != 0
        || stats.usedBytes() > quarantinedBytes) {
      tally.unexpected.increment();
      tally.explain("left after all was forgotten: " + stats);
    }
  }

  /** The threads of a round. */
  private final class Users {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final SharedPins sharedPins = new SharedPins();
    private final List<Thread> threads = new ArrayList<>();

    Users() {
      for (int i = 0; i < settings.threads(); i++) {
        StressWorker worker =
            new StressWorker(
                () -> cache,
                files,
                sharedPins,
                tally,
                random.split(),
                ended::get,
                rounds.maxPinnedBytes(),
                settings.threads());
        Thread thread = new Thread(worker, "stress-" + i);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
      }
    }

    void runUntil(long nanoTime) throws InterruptedException {
      while (System.nanoTime() < nanoTime && !isOver()) {
        Thread.sleep(20);
      }
    }

    void end() throws InterruptedException {
      ended.set(true);
      for (Thread thread : threads) {
        thread.join(HANGS_AFTER.toMillis());
        if (thread.isAlive()) {
          throw new IllegalStateException(
              thread.getName() + " hangs in " + Arrays.toString(thread.getStackTrace()));
        }
      }
      sharedPins.end();
    }
  }

  /** What the caches of all rounds said of their media. */
  private static final class HealthSum {
    private long outages;
    private long refusedLookups;
    private long checksumFailures;
    private long quarantined;
    private long indexFaults;
    private long spaceFaults;
    private long drivesLost;

    void add(CacheHealth health) {
      outages += health.outages();
      refusedLookups += health.refusedLookups();
      checksumFailures += health.checksumFailures();
      quarantined += health.quarantinedBlocks();
      indexFaults += health.indexFaults();
      spaceFaults += health.spaceFaults();
      drivesLost += lostDrives(health);
    }

    Map<String, Long> counts() {
      Map<String, Long> counts = new LinkedHashMap<>();
      counts.put("outages", outages);
      counts.put("refused_lookups", refusedLookups);
      counts.put("checksum_failures", checksumFailures);
      counts.put("quarantined_blocks", quarantined);
      counts.put("index_faults", indexFaults);
      counts.put("space_faults", spaceFaults);
      counts.put("drives_lost", drivesLost);
      return counts;
    }
  }

  /**
   * What a stress run does.
   *
   * @param duration of all of it
   * @param round after which the cache is closed, with calls inside, and another one built
   * @param threads that use the cache
   * @param medium what lies below
   * @param paths where, for media with a place; several for flash on several drives
   * @param mediumBytes its capacity
   * @param faults what it suffers from
   * @param faultRate of each kind, per operation of the medium
   * @param seed of each thread's operations and each round's cache; which thread goes first is not
   *     its choice
   */
  public record Settings(
      Duration duration,
      Duration round,
      int threads,
      MediumChoice medium,
      List<Path> paths,
      long mediumBytes,
      Set<StressFault> faults,
      double faultRate,
      long seed) {}

  /**
   * What a stress run did and found.
   *
   * @param settings of the run
   * @param seconds it took
   * @param rounds caches that were built, used and closed
   * @param counts operations and violations by name
   * @param faults injected, by label
   * @param health what the caches counted of it
   * @param early the process's memory after the first round
   * @param late and after the last
   * @param violations answers that no cache may give; 0 is a pass
   * @param explanation the first of them, in words
   */
  public record Result(
      Settings settings,
      double seconds,
      int rounds,
      Map<String, Long> counts,
      Map<String, Long> faults,
      Map<String, Long> health,
      ProcessMemory early,
      ProcessMemory late,
      long violations,
      @Nullable String explanation) {}
}
