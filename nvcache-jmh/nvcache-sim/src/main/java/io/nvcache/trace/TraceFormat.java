// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

/** The forms in which traces are kept in files, plain or compressed with gzip. */
public enum TraceFormat {
  /** This project's binary format. */
  NVTR("nvtr"),
  /** One request a line, in columns, as libCacheSim reads them. */
  CSV("csv"),
  /** libCacheSim's binary format. */
  ORACLE_GENERAL("oracleGeneral"),
  /** One key a line, and maybe a size. */
  KEYS("keys");

  private final String label;

  TraceFormat(String label) {
    this.label = label;
  }

  /** The name on the command line. */
  public String label() {
    return label;
  }
}
