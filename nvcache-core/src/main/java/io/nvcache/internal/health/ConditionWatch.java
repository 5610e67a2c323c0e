// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.OfferResult;
import io.nvcache.background.SafeLog;
import io.nvcache.control.CacheEvent;
import io.nvcache.control.CacheListener;
import io.nvcache.control.Condition;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.gate.Listeners;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.stats.Counter;
import io.nvcache.stats.RefusedOffers;
import io.nvcache.stats.StripedCounters;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the counters once a second and reports when the cache's state changes. What it costs
 * falls on the background work, nothing on lookups and offers.
 *
 * <p>A condition is reported once when it begins and once when it ends, not with every event in
 * between: failures end after {@value #QUIET_LOOKS} seconds without another one, and bypassing
 * begins after {@value #DRY_LOOKS} seconds that had offers and took none. The reason may change in
 * between: the one shown is from the last second in which it was so. What begins is logged as a
 * warning; bypassing, which may be as it should, only the first time for a reason that a setting is
 * the cause of.
 *
 * <p><b>Invariants.</b> Looks come one at a time, under this object's monitor, and so do calls of
 * listeners; what is present is an immutable map, read without it.
 */
public final class ConditionWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionWatch.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);
  private static final int QUIET_LOOKS = 10;
  private static final int DRY_LOOKS = 3;

  private final StripedCounters counters;
  private final MediumGuard guard;
  private final ConditionSources sources;
  private final LongSupplier nanoTime;
  private final Listeners<CacheListener> listeners = new Listeners<>();
  private final BypassReason bypassReason;
  private final Map<Condition, Long> countsBefore = new EnumMap<>(Condition.class);
  private final Map<Condition, Integer> quietLooks = new EnumMap<>(Condition.class);
  private final Set<OfferResult> warned = EnumSet.noneOf(OfferResult.class);
  private Map<OfferResult, Long> offersBefore = Map.of();
  private RefusedOffers refusedWhileDry = RefusedOffers.NONE;
  private long outagesBefore;
  private int dryLooks;
  private long lastLook;
  private volatile Map<Condition, String> present = Map.of();
  private volatile String bypass = "";
  private final GainWatch gain;
  private final Set<Condition> held = EnumSet.noneOf(Condition.class);
  private volatile String sharedDrive = "";

  public ConditionWatch(
      StripedCounters counters,
      MediumGuard guard,
      ConditionSources sources,
      BypassReason bypassReason,
      CallersHold hold,
      LongSupplier nanoTime) {
    this.counters = counters;
    this.guard = guard;
    this.sources = sources;
    this.bypassReason = bypassReason;
    this.nanoTime = nanoTime;
    this.lastLook = nanoTime.getAsLong();
    this.gain = new GainWatch(counters);
    listeners.handTo(hold);
  }

  void addListener(CacheListener listener) {
    listeners.add(listener);
  }

  void removeListener(CacheListener listener) {
    listeners.remove(listener);
  }

  /**
   * Returns what is present: of the background work, which may be what no longer looks, and of
   * invalidations, which a store asks about after each, as of now.
   */
  Map<Condition, String> present() {
    String trouble = sources.lastRound().trouble();
    String unsaved = sources.unsavedInvalidations().get();
    if (trouble == null
        && (unsaved != null) == present.containsKey(Condition.INVALIDATIONS_UNSAVED)) {
      return present;
    }
    Map<Condition, String> now = new EnumMap<>(Condition.class);
    now.putAll(present);
    now.remove(Condition.INVALIDATIONS_UNSAVED);
    if (unsaved != null) {
      now.put(Condition.INVALIDATIONS_UNSAVED, unsaved);
    }
    if (trouble != null) {
      now.put(Condition.BACKGROUND_FAILING, trouble);
    }
    return Map.copyOf(now);
  }

  /** Why nothing is admitted, if that is not for lack of worth; else nothing. */
  String bypass() {
    return bypass;
  }

  /** Looks, if a second has passed since the last look. */
  public synchronized void look() {
    long now = nanoTime.getAsLong();
    if (now - lastLook < PERIOD_NANOS) {
      return;
    }
    lastLook = now;
    lookAtOffers();
    lookAt(
        Condition.MEDIUM_FAILING,
        sum(Counter.MEDIUM_FAILURES) + sum(Counter.MISSES_CORRUPT),
        "reads and writes failed",
        guard.unwritable());
    long outages = guard.outages();
    if (guard.isOut() || outages != outagesBefore) { // One may have come and gone since.
      found(Condition.OUT_OF_SERVICE, guard.lastReason());
    } else {
      end(Condition.OUT_OF_SERVICE, "the medium is asked again");
    }
    outagesBefore = outages;
    lookAtDrives();
    lookAt(Condition.PINS_EXHAUSTED, sum(Counter.REFUSED_PINS), "pins were refused");
    lookAtWriteLimits();
    lookAt(Condition.POLICY_FAILING, sources.policyFailures().count(), "calls of a policy threw");
    lookAtInvalidations();
    lookAtBackground();
    lookAtGain();
  }

  /** Reports what holds as long as the cache does; the first reason of several stays. */
  public synchronized void hold(Condition condition, String reason) {
    held.add(condition);
    if (!present.containsKey(condition)) {
      found(condition, reason);
    }
  }

  /**
   * Notes that the store's files share a drive with the medium, which is named as the reason if
   * there is no gain.
   */
  void noteSharedDrive(String words) {
    sharedDrive = "; " + words;
  }

  private void lookAtGain() {
    GainWatch.Verdict verdict = gain.look();
    if (held.contains(Condition.NO_GAIN)) {
      return; // The host knows better.
    }
    if (verdict == GainWatch.Verdict.NONE) {
      found(
          Condition.NO_GAIN,
          gain.words()
              + sharedDrive
              + ": the cache saves nothing and wears its drive out; put it on a faster medium, or"
              + " do without");
    } else if (verdict == GainWatch.Verdict.SOME) {
      end(Condition.NO_GAIN, gain.words());
    }
  }

  private void lookAtWriteLimits() {
    double part = sources.plannedPart().getAsDouble();
    if (part < 1) {
      quietLooks.put(Condition.WRITE_LIMITED, 0);
      found(
          Condition.WRITE_LIMITED,
          "the limit of a day leaves " + Math.round(100 * part) + " % of the overhead target");
    } else {
      lookAt(
          Condition.WRITE_LIMITED,
          sum(Counter.OFFERS_BYPASSED_WRITE_LIMIT),
          "blocks were refused by the write limit");
    }
  }

  private void lookAtDrives() {
    String lost = sources.lostDrives().get();
    if (lost.isEmpty()) {
      end(Condition.DRIVE_LOST, "all drives serve");
    } else {
      found(Condition.DRIVE_LOST, lost);
    }
  }

  private void lookAtInvalidations() {
    String unsaved = sources.unsavedInvalidations().get();
    if (unsaved == null) {
      end(Condition.INVALIDATIONS_UNSAVED, "all of them are on the medium");
    } else {
      found(Condition.INVALIDATIONS_UNSAVED, unsaved);
    }
  }

  private void lookAtBackground() {
    String trouble = sources.lastRound().trouble();
    if (trouble == null) {
      end(Condition.BACKGROUND_FAILING, "the background work is done again");
    } else {
      found(Condition.BACKGROUND_FAILING, trouble);
    }
  }

  private void lookAtOffers() {
    Map<OfferResult, Long> offers = new EnumMap<>(OfferResult.class);
    for (OfferResult result : OfferResult.values()) {
      offers.put(result, sum(Counter.of(result)));
    }
    long admitted =
        offers.getOrDefault(OfferResult.ADMITTED, 0L)
            - offersBefore.getOrDefault(OfferResult.ADMITTED, 0L);
    // Out of service has its own condition, and says nothing of what comes after it.
    RefusedOffers refused =
        RefusedOffers.between(offersBefore, offers).without(OfferResult.OUT_OF_SERVICE);
    if (!guard.unwritable().isEmpty()) { // Neither does a medium that is only read.
      refused = refused.without(OfferResult.MEDIUM_FAILED);
    }
    offersBefore = offers;
    if (admitted > 0) {
      dryLooks = 0;
      refusedWhileDry = RefusedOffers.NONE;
      bypass = "";
      end(Condition.BYPASSING, admitted + " blocks were admitted");
    } else if (refused.sum() > 0) {
      lookAtRefusals(refused);
    }
  }

  /** What is known when bypassing begins is what made it begin; afterwards, what continues. */
  private void lookAtRefusals(RefusedOffers refused) {
    if (dryLooks == DRY_LOOKS) {
      refusedWhileDry = refused;
    } else {
      dryLooks++;
      refusedWhileDry = refusedWhileDry.and(refused);
    }
    if (dryLooks == DRY_LOOKS) {
      OfferResult commonest = refusedWhileDry.commonest().orElseThrow();
      String reason = bypassReason.words(refusedWhileDry, commonest);
      bypass = BypassReason.isByWorth(commonest) ? "" : reason;
      boolean warns = BypassReason.isBySetting(commonest) && warned.add(commonest);
      if (warns && present.containsKey(Condition.BYPASSING)) {
        LOG.warn("{} continues: {}", Condition.BYPASSING, reason); // It began for another reason.
      }
      found(Condition.BYPASSING, reason, warns);
    }
  }

  private void lookAt(Condition condition, long count, String what) {
    lookAt(condition, count, what, "");
  }

  /**
   * Looks at a condition of which there is something to count.
   *
   * @param state in words while it continues though nothing is counted; else empty
   */
  private void lookAt(Condition condition, long count, String what, String state) {
    Long before = countsBefore.put(condition, count);
    long fresh = count - (before == null ? 0 : before);
    if (!state.isEmpty()) {
      quietLooks.put(condition, 0);
      found(condition, state);
    } else if (fresh > 0) {
      quietLooks.put(condition, 0);
      found(condition, fresh + " " + what);
    } else if (present.containsKey(condition)
        && quietLooks.merge(condition, 1, Integer::sum) == QUIET_LOOKS) {
      end(condition, "no more for " + QUIET_LOOKS + " seconds, " + count + " in all");
    }
  }

  private void found(Condition condition, String reason) {
    found(condition, reason, condition != Condition.BYPASSING);
  }

  /**
   * It begins, or continues for a reason that may be another one by now.
   *
   * @param warns whether an operator should act on it
   */
  private void found(Condition condition, String reason, boolean warns) {
    Map<Condition, String> next = new EnumMap<>(Condition.class);
    next.putAll(present);
    boolean isNew = next.put(condition, reason) == null;
    present = Map.copyOf(next);
    if (isNew) {
      tell(new CacheEvent(condition, true, reason), warns);
    }
  }

  private void end(Condition condition, String reason) {
    if (present.containsKey(condition)) {
      Map<Condition, String> next = new EnumMap<>(present);
      next.remove(condition);
      present = Map.copyOf(next);
      tell(new CacheEvent(condition, false, reason), false);
    }
  }

  private void tell(CacheEvent event, boolean warns) {
    if (warns) {
      SafeLog.warn(LOG, "{}{}", event, "");
    } else {
      SafeLog.info(LOG, "{}", event);
    }
    for (CacheListener listener : listeners) {
      try {
        listener.changed(event);
      } catch (RuntimeException | Error e) {
        SafeLog.error(LOG, "the listener {} failed on {}", listener, event, e);
      }
    }
  }

  private long sum(Counter counter) {
    return counters.sum(counter);
  }
}
