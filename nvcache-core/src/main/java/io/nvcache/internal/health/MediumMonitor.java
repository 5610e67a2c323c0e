// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.DebugCheck;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.DriveHealth;
import io.nvcache.internal.background.MediumQuestion;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.guard.ExceptionText;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.read.PinLog;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.medium.DriveSet;
import io.nvcache.medium.MediumLostException;
import io.nvcache.medium.ReadOnlyMediumException;
import io.nvcache.stats.BinaryUnits;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the medium in the background, once a second: whether calls hang in it, whether it
 * says itself that it can't be used, whether a back-off is over; and runs the {@linkplain
 * DebugCheck checks} that were asked for.
 *
 * <p><b>Invariants.</b> One thread looks at a time. The medium itself is asked by a thread that no
 * other waits for, and is not asked again before it has answered: a medium that hangs while it is
 * asked is found like one that hangs in any other call.
 */
public final class MediumMonitor {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);

  private final BlockTables tables;
  private final DriveSet drives;
  private final StripedCounters counters;
  private final MediumGuard guard;
  private final CallGate gate;
  private final StuckCalls stuckCalls;
  private final LongSupplier nanoTime;
  private final Duration stuckAfter;
  private final MediumQuestion check;
  private final @Nullable IndexCheck indexCheck;
  private final @Nullable PinLog pinLog;
  private final LongSupplier poisonFaults;
  private long lastLook;

  /**
   * Makes a monitor.
   *
   * @param checker asks the medium
   */
  public MediumMonitor(
      BlockTables tables,
      StripedCounters counters,
      MediumGuard guard,
      GuardSettings guards,
      CallGate gate,
      LongSupplier nanoTime,
      Executor checker) {
    this.tables = tables;
    this.drives = tables.space().medium().drives();
    this.check = new MediumQuestion(checker);
    this.counters = counters;
    this.guard = guard;
    this.gate = gate;
    this.nanoTime = nanoTime;
    this.stuckAfter = guards.stuckAfter();
    this.stuckCalls = new StuckCalls(counters, gate, nanoTime, guards.stuckAfter().toNanos());
    this.indexCheck = guards.checks(DebugCheck.CHECK_INDEX) ? new IndexCheck(tables) : null;
    this.pinLog = guards.checks(DebugCheck.TRACK_LEASES) ? new PinLog(nanoTime) : null;
    this.poisonFaults =
        guards.checks(DebugCheck.POISON_FREED) ? tables.blocks().poisonFreed() : () -> 0;
    this.lastLook = nanoTime.getAsLong();
  }

  /** Returns where pins are listed, if they are. */
  public @Nullable PinLog pinLog() {
    return pinLog;
  }

  /** Does what there is to do now. */
  public void run() {
    if (look() && !gate.isClosed()) {
      check.ask(this::askMedium);
    }
  }

  /** Returns whether a second has passed; if so, looks at all but the medium itself. */
  private synchronized boolean look() {
    long now = nanoTime.getAsLong();
    if (now - lastLook < PERIOD_NANOS) {
      return false;
    }
    lastLook = now;
    drives.look(mostLooks());
    // Those that a lost drive keeps say nothing of the others.
    int stuck = stuckCalls.look() - drives.callsInLost();
    if (stuck > 0) {
      guard.markFailed(guard.isOut() ? guard.reason() : stuckReason(stuck));
    }
    guard.tick();
    if (pinLog != null) {
      pinLog.reportOld();
    }
    if (indexCheck != null) {
      checkIndex(indexCheck);
    }
    return true;
  }

  /** A drive is given up before its calls make the medium as a whole count as hanging. */
  private int mostLooks() {
    return (int) Math.max(2, Math.min(5, stuckAfter.toSeconds() / 2));
  }

  private String stuckReason(int stuck) {
    return stuck
        + " calls are inside for more than "
        + stuckAfter.toSeconds()
        + " s: "
        + stuckCalls.cause();
  }

  /** Inside the gate, so that the medium is not closed at the same time. */
  private void askMedium() {
    int stripe = gate.begin();
    try {
      if (!gate.isClosed()) {
        tables.space().medium().check();
        guard.resumeWrites();
      }
    } catch (ReadOnlyMediumException e) {
      guard.stopWrites(ExceptionText.of(e));
    } catch (MediumLostException e) {
      guard.disable(ExceptionText.of(e)); // What it would write is another cache's.
    } catch (IOException | RuntimeException | Error e) {
      guard.markFailed(ExceptionText.of(e));
    } finally {
      gate.end(stripe);
    }
  }

  private void checkIndex(IndexCheck check) {
    long before = check.faults();
    check.begin();
    for (int slot = 0; slot < tables.index().slots(); slot += BucketLayout.SLOTS) {
      int stripe = gate.begin();
      try {
        if (gate.isClosed()) {
          return;
        }
        check.look(slot);
      } finally {
        gate.end(stripe);
      }
    }
    if (check.faults() > before) {
      guard.disable(check.faults() - before + " entries of the index are corrupt");
    }
  }

  /** Has drives that are lost be taken back. */
  void askDrivesBack() {
    drives.askBack();
  }

  /** Returns the drives that are lost, in words; empty if all serve. */
  public String lostDrives() {
    List<DriveHealth> all = drives.list();
    List<DriveHealth> lost = all.stream().filter(drive -> !drive.serves()).toList();
    return lost.isEmpty()
        ? ""
        : lost.size()
            + " of "
            + all.size()
            + " drives are out, with "
            + BinaryUnits.of(drives.lostBytes())
            + " of the cache; it continues with the others. When they are sound again, return the"
            + " cache to service or build it again, and they begin empty: "
            + lost.stream().map(DriveHealth::toString).collect(Collectors.joining("; "));
  }

  /** Names the pins that outlive the cache. */
  public void reportPins() {
    if (pinLog != null) {
      pinLog.reportAll();
    }
  }

  /**
   * Returns what the cache is at.
   *
   * @param bypass why it admits nothing; empty if it does
   * @param secondsSinceMaintenance since a round of the background work last ended
   */
  CacheHealth health(String bypass, long secondsSinceMaintenance) {
    boolean out = guard.isOut();
    String dry = guard.unwritable().isEmpty() ? bypass : guard.unwritable();
    CacheHealth.State inService =
        dry.isEmpty() ? CacheHealth.State.SERVING : CacheHealth.State.BYPASSING;
    return new HealthSnapshot(
        out ? CacheHealth.State.OUT_OF_SERVICE : inService,
        out ? guard.reason() : dry,
        guard.outages(),
        counters.sum(Counter.MISSES_OUT_OF_SERVICE),
        stuckCalls.found(),
        counters.sum(Counter.MISSES_CORRUPT),
        counters.sum(Counter.QUARANTINES),
        counters.sum(Counter.QUARANTINED_BYTES),
        indexCheck == null ? 0 : indexCheck.faults(),
        poisonFaults.getAsLong(),
        pinLog == null ? 0 : pinLog.openPins(),
        secondsSinceMaintenance,
        drives.list());
  }
}
