// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.WriteLogStats;
import io.nvcache.writelog.format.Lane;
import io.nvcache.writelog.pages.PendingPages;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what an engine does, since it began, and reads its figures. Thread-safe; figures that are
 * read together may be of slightly different moments.
 */
final class LogFigures {
  /** Calls of {@code force} that the log made unnecessary. */
  final LongAdder absorbedForces = new LongAdder();

  /** Calls of {@code force} that reached the disk. */
  final LongAdder forces = new LongAdder();

  /** Writes that waited for room. */
  final LongAdder waits = new LongAdder();

  /** Records that were made void since their change failed. */
  final LongAdder aborts = new LongAdder();

  /** Rounds of the drain that moved the drained number. */
  final LongAdder drains = new LongAdder();

  /** Syncs of files by the drain. */
  final LongAdder syncs = new LongAdder();

  /** Syncs or writes of the drain that failed and were tried again. */
  final LongAdder drainFailures = new LongAdder();

  /** Files whose bytes were written again from the log. */
  final LongAdder repairs = new LongAdder();

  /** Bytes that were saved from files that can't be written. */
  final LongAdder orphanBytes = new LongAdder();

  /** Returns the figures of now. */
  WriteLogStats read(LogEngine engine) {
    long records = 0;
    long payloadBytes = 0;
    for (Lane lane : engine.lanes()) {
      records += lane.records();
      payloadBytes += lane.payloadBytes();
    }
    PendingPages pages = engine.pages();
    Throwable failure = engine.drainFailure();
    return new WriteLogStats(
        records,
        payloadBytes,
        pendingBytes(engine),
        capacityBytes(engine),
        engine.lastSeq() - engine.drainedSeq(),
        pages == null ? 0 : pages.used(),
        pages == null ? 0 : pages.bytes(),
        absorbedForces.sum(),
        forces.sum(),
        waits.sum(),
        aborts.sum(),
        drains.sum(),
        syncs.sum(),
        drainFailures.sum(),
        repairs.sum(),
        orphanBytes.sum(),
        engine.files().stream().filter(file -> file.sickness() != null).count(),
        failure == null ? "" : failure.toString());
  }

  /** Returns the bytes of the lanes that hold what is not drained. */
  static long pendingBytes(LogEngine engine) {
    long bytes = 0;
    for (Lane lane : engine.lanes()) {
      bytes += lane.head() - lane.tail();
    }
    return bytes;
  }

  /** Returns the bytes of all lanes. */
  static long capacityBytes(LogEngine engine) {
    return (long) engine.layout().lanes() * engine.layout().laneBytes();
  }
}
