// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

/** The parts of a day, in their order. */
public enum DayPhase {
  /** From an empty cache on. */
  WARMING("warming"),
  /** Reads and writes, and nothing else; also the turn before each restart, kill and compaction. */
  STEADY("steady"),
  /** After a region was closed and opened again, as when it moves away and back. */
  MOVED("moved"),
  /** While a client scans one region, which is more than the cache holds. */
  SCANNING("scanning"),
  /** After a stop and a start. */
  RESTARTED("restarted"),
  /** After {@code kill -9} and a start. */
  KILLED("killed"),
  /** From the request for a major compaction to the end of the first turn after it. */
  COMPACTING("compacting");

  private final String label;

  DayPhase(String label) {
    this.label = label;
  }

  /** Returns the name in records. */
  public String label() {
    return label;
  }
}
