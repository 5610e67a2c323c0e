// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

/** When a server is measured. */
public enum ClientsPhase {
  /** After as many reads as warm it up. */
  STEADY("steady"),
  /** From the first read after a stop and a start on. */
  RESTARTED("restarted"),
  /** While a major compaction that was asked for runs, and until the reads are done. */
  COMPACTING("compacting");

  private final String label;

  ClientsPhase(String label) {
    this.label = label;
  }

  /** Returns the name in records and on the command line. */
  public String label() {
    return label;
  }
}
