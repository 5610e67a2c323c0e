// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a log's figures once a second, on the thread that drains it, and reports what begins and
 * what ends. A full log is reported until no writer has waited for ten seconds.
 */
final class LogConditions {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);
  private static final int QUIET_LOOKS = 10;

  private final LogFile file;
  private final LogEngine engine;
  private final RecoveryReport recovery;
  private final LongSupplier nanoTime;
  private final List<WriteLogListener> listeners = new CopyOnWriteArrayList<>();
  private volatile Map<WriteLogCondition, String> present = Map.of();

  // Of the thread that looks.
  private long lastLook;
  private long waitsBefore;
  private int quietLooks = QUIET_LOOKS;

  LogConditions(LogFile file, LogEngine engine, RecoveryReport recovery, LongSupplier nanoTime) {
    this.file = file;
    this.engine = engine;
    this.recovery = recovery;
    this.nanoTime = nanoTime;
    this.lastLook = nanoTime.getAsLong() - PERIOD_NANOS;
  }

  Map<WriteLogCondition, String> present() {
    return present;
  }

  void add(WriteLogListener listener) {
    listeners.add(listener);
  }

  void remove(WriteLogListener listener) {
    listeners.remove(listener);
  }

  /** Looks, if a second is over. */
  void look() {
    long now = nanoTime.getAsLong();
    if (now - lastLook < PERIOD_NANOS) {
      return;
    }
    lastLook = now;
    Map<WriteLogCondition, String> before = present;
    Map<WriteLogCondition, String> seen = see(engine.stats());
    present = Collections.unmodifiableMap(seen);
    seen.forEach(
        (condition, reason) -> {
          if (!before.containsKey(condition)) {
            logger().warn("the write log {} is {}: {}", file.path(), condition, reason);
            call(listener -> listener.begun(condition, reason));
          }
        });
    before.forEach(
        (condition, reason) -> {
          if (!seen.containsKey(condition)) {
            logger().info("the write log {} is no longer {}", file.path(), condition);
            call(listener -> listener.ended(condition));
          }
        });
  }

  private Map<WriteLogCondition, String> see(WriteLogStats stats) {
    Map<WriteLogCondition, String> seen = new EnumMap<>(WriteLogCondition.class);
    String cut = lookForCut();
    if (cut != null) {
      seen.put(WriteLogCondition.CUT_SHORT, cut);
    }
    if (!stats.drainFailure().isEmpty()) {
      seen.put(WriteLogCondition.DRAIN_FAILING, stats.drainFailure());
    }
    quietLooks = stats.waits() > waitsBefore ? 0 : quietLooks + 1;
    waitsBefore = stats.waits();
    if (quietLooks < QUIET_LOOKS) {
      seen.put(
          WriteLogCondition.FULL,
          stats.waits() + " waits for room since the opening; make the log longer, or write less");
    }
    List<String> sick = sickFiles();
    if (!sick.isEmpty()) {
      seen.put(WriteLogCondition.FILE_SICK, String.join("; ", sick));
    }
    if (stats.orphanBytes() > 0 || !recovery.orphans().isEmpty()) {
      seen.put(
          WriteLogCondition.ORPHANS,
          "see " + engine.settings().orphans() + "; nvcache log apply places them");
    }
    if (recovery.damagedRecords() > 0) {
      seen.put(
          WriteLogCondition.DAMAGED,
          "of " + recovery.damagedRecords() + " records the bytes are lost");
    }
    if (file.persistence() == Persistence.EMULATED) {
      seen.put(WriteLogCondition.EMULATED, "it only plays persistent memory; never for data");
    }
    return seen;
  }

  /** Returns how another program has cut the log short, if it has; nothing touches it then. */
  private @Nullable String lookForCut() {
    if (engine.fault() == null) {
      try {
        file.requireWhole();
      } catch (IOException e) {
        engine.fail(String.valueOf(e.getMessage()));
      }
    }
    return engine.fault();
  }

  /** Returns why files can't be written any more, one line each; empty if all can. */
  List<String> sickFiles() {
    return engine.files().stream()
        .map(LoggedFile::sickness)
        .filter(Objects::nonNull)
        .map(Object::toString)
        .toList();
  }

  private void call(Consumer<WriteLogListener> call) {
    for (WriteLogListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException | Error e) {
        logger().error("a listener of the write log {} failed", file.path(), e);
      }
    }
  }

  /** Late, because a log may be opened while the JVM starts. */
  private static Logger logger() {
    return LoggerFactory.getLogger(WriteLogCondition.class);
  }
}
