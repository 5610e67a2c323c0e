// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.background.BackgroundThread;
import io.nvcache.background.Ending;
import io.nvcache.background.Worker;
import io.nvcache.control.ShadowReport;
import io.nvcache.control.Shadows;
import io.nvcache.stats.StripedCounters;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts and ends the shadows of a cache while it runs, and feeds them.
 *
 * <p>Events are read by its own thread, or where there is none by the thread that finds a ring half
 * full.
 *
 * <p><b>Invariants.</b> Everything here is under one lock, which no lookup ever waits for. Settings
 * change within the {@link ChangeOrder}, whose lock comes before this one: listeners hear of a
 * change when it is complete, and this lock is free.
 */
public final class LiveShadows implements Shadows, Ending, AutoCloseable {
  private static final double LEAST_RATIO = 0.00001;
  private static final double MOST_RATIO = 0.5;

  /** Blocks in the miniature of the cache's own size with which errors are a point or two. */
  private static final double BLOCKS_WANTED = 4096;

  private static final double MOST_AUTO_RATIO = 0.1;

  /** Between two reads of the events; a ring that is half full is read at once. */
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Blocks below which errors are several points: a small cache samples more keys. */
  private static final double LEAST_BLOCKS = 1024;

  private final KeySample sample;
  private final StripedCounters counters;
  private final ShadowContext context;
  private final ChangeOrder changes;
  private final Worker feed;
  private final ReentrantLock lock = new ReentrantLock();
  private List<String> specs = List.of();
  private double ratio;
  private @Nullable EventRings rings;
  private @Nullable ShadowSet set;
  private boolean closed;

  /**
   * Makes shadows that are off.
   *
   * @param changes the order in which the cache's settings change
   * @param inBackground whether a thread may be started for them
   */
  public LiveShadows(
      KeySample sample,
      StripedCounters counters,
      ShadowContext context,
      ChangeOrder changes,
      boolean inBackground) {
    this.sample = sample;
    this.counters = counters;
    this.context = context;
    this.changes = changes;
    this.feed =
        inBackground
            ? new BackgroundThread("shadow", PERIOD_NANOS, this::read)
            : new InlineFeed(this::tryToRead);
  }

  /** Reads on the thread that filled the ring, unless another one is at it. */
  private record InlineFeed(Runnable work) implements Worker {
    @Override
    public void start() {}

    @Override
    public void wake() {
      work.run();
    }

    @Override
    public boolean hasDied() {
      return false;
    }

    @Override
    public void end() {}

    @Override
    public boolean awaitEnd(long nanos) {
      return true;
    }
  }

  @Override
  public double sampleRatio() {
    return locked(() -> ratio);
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setSampleRatio(double wanted) {
    checkedRatio(wanted);
    change(() -> restart(wanted, specs));
  }

  @Override
  public void chooseSampleRatio() {
    change(() -> restart(chosenRatio(), specs));
  }

  /**
   * Returns a ratio that can be set.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static double checkedRatio(double wanted) {
    if (wanted != 0 && !(wanted >= LEAST_RATIO && wanted <= MOST_RATIO)) {
      throw new IllegalArgumentException(
          "sampleRatio is "
              + wanted
              + "; it must be 0 (off), or between "
              + LEAST_RATIO
              + " and "
              + MOST_RATIO
              + "; the setting stays as it was");
    }
    return wanted;
  }

  private void change(Supplier<Boolean> work) {
    changes.make(() -> locked(work));
  }

  private double chosenRatio() {
    double blocks = (double) context.capacityBytes() / context.expectedBlockBytes();
    double most = Math.max(MOST_AUTO_RATIO, Math.min(MOST_RATIO, LEAST_BLOCKS / blocks));
    return Math.max(LEAST_RATIO, Math.min(most, BLOCKS_WANTED / blocks));
  }

  @Override
  public List<String> candidates() {
    return locked(() -> specs);
  }

  @Override
  public void setCandidates(List<String> wanted) {
    List<String> names = checkedCandidates(wanted, context.presets());
    change(() -> restart(ratio, names));
  }

  /**
   * Returns candidates that can be set.
   *
   * @param presets throws {@link IllegalArgumentException} for a name that is none
   * @throws IllegalArgumentException if one is none or there twice, or there are too many
   */
  public static List<String> checkedCandidates(
      List<String> wanted, Function<String, PolicyPair> presets) {
    check(wanted);
    for (String text : wanted) {
      ShadowSpec spec = ShadowSpec.parse(text);
      if (!spec.policy().equals(ShadowSpec.LIVE)) {
        PolicyPair unused = presets.apply(spec.policy());
      }
    }
    return List.copyOf(wanted);
  }

  /** A name twice would be one line in every report, and none knows whose. */
  private static void check(@Nullable List<@Nullable String> wanted) {
    if (wanted == null || wanted.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("a candidate is missing: the list has, or is, null");
    }
    if (wanted.size() > MAX_CANDIDATES) {
      throw new IllegalArgumentException(
          wanted.size() + " candidates are too many; there may be at most " + MAX_CANDIDATES);
    }
    Set<@Nullable String> names = new HashSet<>();
    for (String name : wanted) {
      if (!names.add(name)) {
        throw new IllegalArgumentException("the candidate '" + name + "' is there twice");
      }
    }
  }

  @Override
  public void reset() {
    change(() -> restart(ratio, specs));
  }

  /** The new ones are there before the old ones go: what throws here changes nothing. */
  private boolean restart(double newRatio, List<String> newSpecs) {
    boolean on = newRatio > 0 && !closed;
    ShadowSet fresh =
        on
            ? new ShadowSet(context, newRatio, newSpecs.stream().map(ShadowSpec::parse).toList())
            : null;
    if (fresh != null) {
      startFeed(fresh);
    }
    sample.stop();
    ShadowSet old = set;
    set = fresh;
    if (old != null) {
      old.close();
    }
    rings = null;
    assign(on ? newRatio : 0, newSpecs);
    if (on) {
      EventRings into = new EventRings(counters.count());
      rings = into;
      sample.start(newRatio, into, feed::wake);
    }
    return on;
  }

  private void startFeed(ShadowSet fresh) {
    try {
      feed.start();
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
  }

  private void assign(double newRatio, List<String> newSpecs) {
    if (!closed) {
      changes.tell("shadowSampleRatio", ratio, newRatio);
      changes.tell("shadowCandidates", specs, newSpecs);
    }
    ratio = newRatio;
    specs = newSpecs;
  }

  /** Takes in what the rings hold. Harmless at any time. */
  public void read() {
    lock.lock();
    try {
      readLocked();
    } finally {
      lock.unlock();
    }
  }

  private void tryToRead() {
    if (lock.tryLock()) {
      try {
        readLocked();
      } finally {
        lock.unlock();
      }
    }
  }

  private void readLocked() {
    ShadowSet reader = set;
    EventRings from = rings;
    if (reader != null && from != null) {
      from.drainTo(reader::read);
      reader.tick(context.nanoTime().getAsLong());
    }
  }

  @Override
  public ShadowReport report() {
    return locked(
        () -> {
          readLocked();
          return set == null || rings == null ? ShadowReport.OFF : set.report(rings.dropped());
        });
  }

  /** Returns whether the thread that feeds the shadows has ended though it was not asked to. */
  public boolean hasDied() {
    return feed.hasDied();
  }

  @Override
  public void end() {
    feed.end();
  }

  /** Waits for all who read, at once false to the thread that does: one of the policies asks. */
  @Override
  public boolean awaitEnd(long nanos) {
    if (lock.isHeldByCurrentThread() || !feed.awaitEnd(nanos)) {
      return false;
    }
    long began = System.nanoTime();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          long left = nanos - (System.nanoTime() - began);
          boolean free = lock.tryLock(left, TimeUnit.NANOSECONDS);
          if (free) {
            lock.unlock();
          }
          return free;
        } catch (InterruptedException e) {
          interrupted = true; // Or the bytes on the medium would be wiped some time later only.
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Closes the policies, after {@link #awaitEnd}. */
  @Override
  public void close() {
    locked(
        () -> {
          closed = true;
          return restart(0, specs);
        });
  }
}
