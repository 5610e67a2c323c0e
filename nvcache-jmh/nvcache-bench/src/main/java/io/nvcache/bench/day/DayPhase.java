// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.report.Labelled;

/** The parts of a day, in their order. */
public enum DayPhase implements Labelled {
  /** From an empty cache on. */
  WARMING,
  /** Reads and writes, and nothing else; also the turn before each restart, kill and compaction. */
  STEADY,
  /** After a region was closed and opened again, as when it moves away and back. */
  MOVED,
  /** While a client scans one region, which is more than the cache holds. */
  SCANNING,
  /** After a stop and a start. */
  RESTARTED,
  /** After {@code kill -9} and a start. */
  KILLED,
  /** From the request for a major compaction to the end of the first turn after it. */
  COMPACTING
}
