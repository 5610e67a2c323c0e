// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import io.nvcache.BlockCache;
import io.nvcache.background.DaemonThread;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.host.ReasonCounts;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state that the files of a node share: the cache, once there is one, and the counts.
 * Thread-safe.
 *
 * <p>A file that is closed is always forgotten by the cache, whether reads are served at that time
 * or not; so they can be switched off and on again. Where blocks outlive the process, a file that
 * is known beyond it is forgotten when it is {@linkplain ClosedFiles gone}.
 */
public final class Tier {
  private static final long SWEEP_SECONDS = 1;

  private final ReasonCounts<Bypass> bypasses = new ReasonCounts<>(Bypass.class);
  private final LongAdder compactionHits = new LongAdder();
  private final Incarnations incarnations = new Incarnations();
  private final Predicate<Thread> compacts;
  private volatile @Nullable BlockCache cache;
  private volatile @Nullable BlockCache serving;

  /** Null where blocks end with the process. Set before the cache. */
  private volatile @Nullable ClosedFiles closedFiles;

  /**
   * Serves nothing yet.
   *
   * @param compacts which threads belong to compaction, validation and index builds
   */
  public Tier(Predicate<Thread> compacts) {
    this.compacts = compacts;
  }

  /** Whether what the calling thread reads is read once only. */
  public boolean isCompacting() {
    return compacts.test(Thread.currentThread());
  }

  public ReasonCounts<Bypass> bypasses() {
    return bypasses;
  }

  /** Counts what must not reach Cassandra. */
  public void failed(Throwable e) {
    bypasses.count(Bypass.FAILURE);
    NodeLog.failed(e);
  }

  /** Counts the chunks that were served to compaction, validation and index builds. */
  public LongAdder compactionHits() {
    return compactionHits;
  }

  public Incarnations incarnations() {
    return incarnations;
  }

  /** The cache, whether it serves or not; null while it is not built. */
  public @Nullable BlockCache cache() {
    return cache;
  }

  /** The cache to read from; null if the files have to be read. */
  public @Nullable BlockCache serving() {
    return serving;
  }

  /** Starts to serve; registers the files that were opened before the cache was built. */
  public void start(BlockCache built) {
    if (built.control().restore().state() != State.OFF) {
      ClosedFiles closed = new ClosedFiles(built);
      closedFiles = closed;
      sweepNowAndThen(built, closed);
    }
    cache = built;
    incarnations.forEach(file -> register(built, file));
    serving = built;
  }

  private static void sweepNowAndThen(BlockCache built, ClosedFiles closed) {
    ScheduledExecutorService sweeper =
        Executors.newSingleThreadScheduledExecutor(DaemonThread.named("nvcache-closed-files"));
    built.control().addCompanion(sweeper::shutdown);
    var unused =
        sweeper.scheduleWithFixedDelay(
            () -> {
              try {
                closed.sweep();
              } catch (RuntimeException | Error e) {
                NodeLog.failed(e); // The next sweep comes.
              }
            },
            SWEEP_SECONDS,
            SWEEP_SECONDS,
            TimeUnit.SECONDS);
  }

  /** Leaves all reads to the files from now on. */
  public void pause() {
    serving = null;
  }

  /** Serves again what is cached. */
  public void resume() {
    serving = cache;
  }

  /** A handle on a file was opened. */
  public Incarnations.Incarnation opened(Object fileKey, long lengthBytes) {
    return opened(fileKey, lengthBytes, null);
  }

  /** The same of a file that is known beyond its life, if {@code named} is not null. */
  public Incarnations.Incarnation opened(
      Object fileKey, long lengthBytes, @Nullable NamedFile named) {
    return incarnations.open(fileKey, lengthBytes, named, this::register);
  }

  /** A handle on a file was closed; after the last one its blocks go. */
  public void closed(Incarnations.Incarnation file) {
    incarnations.close(file, this::forget);
  }

  /**
   * Returns whether the blocks of a file are invalidated: it is closed, and is not kept by name.
   */
  public boolean isForgotten(Incarnations.Incarnation file) {
    ClosedFiles closed = closedFiles;
    return !incarnations.isLive(file.fileKey(), file.id()) && (closed == null || !closed.has(file));
  }

  private void register(Incarnations.Incarnation file) {
    BlockCache built = cache;
    if (built != null) {
      register(built, file);
    }
  }

  private void register(BlockCache built, Incarnations.Incarnation file) {
    built.control().dataSet().register(file.id(), file.lengthBytes());
    ClosedFiles closed = closedFiles;
    NamedFile named = file.named();
    if (closed != null && named != null) {
      closed.begin(file, named);
    }
  }

  private void forget(Incarnations.Incarnation file) {
    BlockCache built = cache;
    ClosedFiles closed = closedFiles;
    NamedFile named = file.named();
    if (built != null && closed != null && named != null) {
      closed.add(file, named);
    } else if (built != null) {
      built.invalidateFile(file.id());
    }
  }
}
