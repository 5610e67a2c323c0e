// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.guard;

import io.nvcache.background.SafeLog;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether the medium may be asked. A medium that fails persistently, or hangs, costs every
 * reader of the store the time of its failures; so it is left alone for a while, and then tried
 * again, as a circuit breaker does (M. Nygard, "Release It!", 2007).
 *
 * <p>A lookup reads one field. Successes are not counted here but taken from the counters that
 * there are anyway, and only when failures have come together.
 *
 * <p>After a back-off the cache is on probation: a failure sends it away again at once, unless more
 * calls have succeeded since, and for twice as long, up to {@value #MOST_BACK_OFFS} times the
 * first. As long a time without that ends the probation.
 */
public final class MediumGuard {
  private static final Logger LOG = LoggerFactory.getLogger(MediumGuard.class);
  private static final int MOST_BACK_OFFS = 256;

  /** Failures further apart than this are not persistent. */
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final StripedCounters counters;
  private final LongSupplier nanoTime;
  private final int maxFailures;
  private final long backOffNanos;
  private final AtomicLong outages = new AtomicLong();

  private volatile boolean out;
  private volatile String reason = "";
  private volatile @Nullable Throwable lastFailure;

  /** Why the medium is read but not written; empty if it is. */
  private volatile String unwritable = "";

  // All below under this object's monitor.
  private boolean byHand;
  private long nextBackOffNanos;
  private long since;
  private boolean probation;
  private int failures;
  private long windowBegan;
  private long successesBefore;

  public MediumGuard(GuardSettings settings, StripedCounters counters, LongSupplier nanoTime) {
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.maxFailures = settings.maxFailures();
    this.backOffNanos = settings.backOff().toNanos();
    this.nextBackOffNanos = backOffNanos;
  }

  /** Returns whether the medium must not be asked now. */
  public boolean isOut() {
    return out;
  }

  /** Returns whether it is an operator who took it out of service. */
  public synchronized boolean isDisabled() {
    return out && byHand;
  }

  public String reason() {
    return out ? reason : "";
  }

  /** Returns why the medium was taken out of service last. */
  public String lastReason() {
    return reason;
  }

  public long outages() {
    return outages.get();
  }

  /**
   * Keeps a failure for the log, should it turn out to have been one.
   *
   * @throws VirtualMachineError if it is a lack of memory or stack, which is no medium's failure
   */
  public void remember(Throwable failure) {
    // InternalError is how the JVM reports a mapping whose file was cut short.
    if (failure instanceof VirtualMachineError lack && !(lack instanceof InternalError)) {
      throw lack;
    }
    lastFailure = failure;
  }

  /** Counts a failure of the medium, and judges it by those before. */
  public synchronized void failed(String what) {
    if (out) {
      return;
    }
    long now = nanoTime.getAsLong();
    if (!probation && (failures == 0 || now - windowBegan > WINDOW_NANOS)) {
      beginWindow(now);
    }
    failures++;
    if (!probation && failures < maxFailures) {
      return;
    }
    boolean mostFail = successes() - successesBefore <= failures;
    if (mostFail) {
      leave(probation ? what + " again" : what + " " + failures + " times", now);
    } else if (!probation) {
      failures = 0;
    }
  }

  private void beginWindow(long now) {
    failures = 0;
    windowBegan = now;
    successesBefore = successes();
  }

  private long successes() {
    return counters.sum(Counter.HITS) + counters.sum(Counter.OFFERS_ADMITTED);
  }

  /** The medium is of no use now, whatever the failures before. */
  public synchronized void markFailed(String why) {
    if (!out) {
      leave(why, nanoTime.getAsLong());
    }
    since = nanoTime.getAsLong(); // It is still so: the back-off begins when it ends.
  }

  /** The medium can be read, and not written: lookups continue. */
  public void stopWrites(String why) {
    unwritable = why;
  }

  /** The medium says of itself that it can be used. */
  public void resumeWrites() {
    if (!unwritable.isEmpty()) {
      unwritable = "";
    }
  }

  /** Returns why the medium must not be written now; empty if it may. */
  public String unwritable() {
    return unwritable;
  }

  /** Takes the medium out of service until an operator says otherwise. */
  public synchronized void disable(String why) {
    byHand = true;
    if (!out) {
      leave(why, nanoTime.getAsLong());
    }
    reason = why;
  }

  private void leave(String why, long now) {
    out = true;
    outages.incrementAndGet();
    since = now;
    failures = 0;
    reason = ExceptionText.after(why, byHand ? null : lastFailure);
    SafeLog.warn(
        LOG,
        "the cache is out of service: {}; its users read from disk. {}",
        reason,
        byHand
            ? "It stays so until an operator says otherwise"
            : "It tries again in " + TimeUnit.NANOSECONDS.toMillis(nextBackOffNanos) + " ms");
  }

  /** Ends a back-off, or a probation, that is over. To be called about once a second. */
  public synchronized void tick() {
    long now = nanoTime.getAsLong();
    if (out && !byHand && now - since >= nextBackOffNanos) {
      nextBackOffNanos = Math.min(2 * nextBackOffNanos, backOffNanos * MOST_BACK_OFFS);
      enter(now, "after its back-off");
      probation = true;
    } else if (!out && probation && now - since >= nextBackOffNanos) {
      probation = false;
      failures = 0;
      nextBackOffNanos = backOffNanos;
    }
  }

  /** Back in service at once, with no failures remembered. */
  public synchronized void enterByHand() {
    if (out) {
      nextBackOffNanos = backOffNanos;
      probation = false;
      enter(nanoTime.getAsLong(), "by an operator");
    }
  }

  private void enter(long now, String why) {
    out = false;
    byHand = false;
    since = now;
    beginWindow(now);
    lastFailure = null;
    SafeLog.warn(LOG, "the cache is back in service {}{}", why, "");
  }
}
