// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import io.nvcache.background.DaemonThread;
import io.nvcache.background.SafeLog;
import io.nvcache.internal.gate.CallGate;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that the medium may keep: it is there while there is something to ask the medium, no
 * other thread waits for it, and the JVM ends without it.
 *
 * <p>It is not interrupted when the cache closes: that would close the channel of a medium that
 * reads through one. It ends with the read it is in, which the {@link CallGate} counts.
 */
public final class MediumThread implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MediumThread.class);
  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final long IDLE_SECONDS = 10;

  private final String purpose;
  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(
          0,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          this::daemon,
          new ThreadPoolExecutor.DiscardPolicy());

  /** Makes a thread; its name says what for. */
  public MediumThread(String purpose) {
    this.purpose = purpose;
  }

  private Thread daemon(Runnable work) {
    return DaemonThread.of("nvcache-" + purpose + "-" + THREADS.incrementAndGet(), work);
  }

  @Override
  public void execute(Runnable work) {
    pool.execute(
        () -> {
          try {
            work.run();
          } catch (RuntimeException | Error e) {
            SafeLog.error(
                LOG, "a second's {} failed; {}", purpose, "the next one does it again", e);
          }
        });
  }

  /** Begins nothing more. What is under way ends by itself. */
  @Override
  public void close() {
    pool.shutdown();
  }
}
