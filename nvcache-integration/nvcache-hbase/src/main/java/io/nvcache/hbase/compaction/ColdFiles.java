// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.background.DaemonThread;
import io.nvcache.hbase.blocks.DataTiering;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has files leave the cache whose data grew cold by HBase's time-based priority, before room has to
 * be made for other data: once a minute, while the cache is nearly full. HBase walks through all
 * store files to name them, so it is asked on its own thread. Without such a priority there is no
 * thread.
 */
public final class ColdFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdFiles.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final DataTiering tiering;
  private final BooleanSupplier isNearlyFull;
  private final Consumer<String> evict;
  private final ScheduledThreadPoolExecutor thread;

  /**
   * Watches.
   *
   * @param isNearlyFull returns whether room is scarce
   * @param evict forgets the blocks of a file, given by name
   */
  public ColdFiles(DataTiering tiering, BooleanSupplier isNearlyFull, Consumer<String> evict) {
    this.tiering = tiering;
    this.isNearlyFull = isNearlyFull;
    this.evict = evict;
    this.thread = new ScheduledThreadPoolExecutor(1, DaemonThread.named("nvcache-cold-files"));
    if (tiering.isKnown()) {
      long pause = PAUSE.toSeconds();
      var unused = thread.scheduleWithFixedDelay(this::sweep, pause, pause, TimeUnit.SECONDS);
    }
  }

  /** Evicts the cold files if room is scarce. */
  public void sweep() {
    try {
      if (tiering.isOn() && isNearlyFull.getAsBoolean()) {
        tiering.coldFiles().forEach(evict);
      }
    } catch (RuntimeException e) {
      LOG.warn("Cold files stay cached", e); // An exception would end the sweeps.
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
