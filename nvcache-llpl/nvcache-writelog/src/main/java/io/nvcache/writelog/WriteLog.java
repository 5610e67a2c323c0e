// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.nvcache.background.BackgroundThread;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.log.DrainPace;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open log. What is written to the files of its roots through a file system over it is durable
 * when the call returns, as far as {@link #grade} says, and reaches the files' disk in the
 * background.
 *
 * <p>Thread-safe.
 */
public final class WriteLog implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(WriteLog.class);
  private static final long DRAIN_MILLIS = 100;
  private static final long END_SECONDS = 30;

  final LogFile file;
  private final LogEngine engine;
  private final RecoveryReport recovery;
  private final LogConditions conditions;
  private final DrainPace pace;
  private final BackgroundThread drain;
  private @Nullable AutoCloseable bean;
  private boolean closed;

  /** Of the thread that drains. */
  private long nextLook = System.nanoTime();

  WriteLog(LogFile file, LogEngine engine, RecoveryReport recovery) {
    this.file = file;
    this.engine = engine;
    this.recovery = recovery;
    this.conditions = new LogConditions(file, engine, recovery, System::nanoTime);
    this.pace = new DrainPace(engine, System::nanoTime);
    this.drain =
        new BackgroundThread("write-log", TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS), this::round);
    engine.onWork(drain::wake);
    drain.start();
  }

  /**
   * Begins to configure a log.
   *
   * @param path of its file, which is created if it is not there
   */
  public static WriteLogBuilder builder(Path path) {
    return new WriteLogBuilder(path);
  }

  /** Returns where the log lies. */
  public Path path() {
    return file.path();
  }

  /** Returns the directories whose files are written through the log. */
  public List<Path> roots() {
    return engine.settings().roots();
  }

  /** Returns how the log's bytes become durable. */
  public Persistence persistence() {
    return file.persistence();
  }

  /** Returns what acknowledged writes survive; of an emulation, what it plays. */
  public Durability grade() {
    return file.grade();
  }

  /** Returns when writes reach the page cache of their files. */
  public Propagation propagation() {
    return engine.settings().propagation();
  }

  /** Returns what the recovery at the opening did. */
  public RecoveryReport recovery() {
    return recovery;
  }

  /** Returns the log's core, which the file system over it uses. */
  public LogEngine engine() {
    return engine;
  }

  private void round() {
    try {
      pace.round();
      lookAtKept();
    } finally {
      conditions.look(); // Also after a fault in the log's memory: it says why.
    }
  }

  private void lookAtKept() {
    long now = System.nanoTime();
    if (now - nextLook >= 0 && engine.fault() == null) {
      nextLook = now + TimeUnit.SECONDS.toNanos(1);
      try {
        engine.lookAtKept();
      } catch (IOException e) {
        LOGGER.debug("could not look at the files that are kept for mappings", e);
      }
    }
  }

  /** Returns the conditions that the log is in, each with its reason; looked for once a second. */
  public Map<WriteLogCondition, String> conditions() {
    return conditions.present();
  }

  /** Has a listener hear of conditions that begin and end from now on. */
  public void addListener(WriteLogListener listener) {
    conditions.add(Objects.requireNonNull(listener, "listener"));
  }

  /** Lets a listener hear of no more. */
  public void removeListener(WriteLogListener listener) {
    conditions.remove(listener);
  }

  /** Returns the figures of now. */
  public WriteLogStats stats() {
    return engine.stats();
  }

  /** Returns why files can't be written any more, one line each; empty if all can. */
  public List<String> sickFiles() {
    return conditions.sickFiles();
  }

  /** Shows the log to JMX, as {@link WriteLogMXBean}, until it is closed. */
  public synchronized void registerMBean() {
    if (bean == null && !closed) {
      bean = WriteLogBean.register(this);
    }
  }

  /**
   * Brings all that was acknowledged until now to the files' disk.
   *
   * @throws IOException if the disk fails, or does not answer in time
   */
  public void drain() throws IOException {
    engine.drainTo(engine.lastSeq());
  }

  /**
   * Drains the log and gives its file back. Writes through it fail then.
   *
   * @throws IOException if it can't be drained; the log keeps what it holds. While a sync of a file
   *     hangs, the log's file stays locked until the process ends
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (bean != null) {
      try {
        bean.close();
      } catch (Exception e) {
        throw new IOException("can't take the bean of " + path() + " away", e);
      }
    }
    drain.end();
    boolean unused = drain.awaitEnd(TimeUnit.SECONDS.toNanos(END_SECONDS));
    try {
      engine.close();
    } finally {
      // Else its lock stays this process's: a sync that hangs may return, and write to the memory.
      if (engine.hasLetGo()) {
        file.close();
      }
    }
  }
}
