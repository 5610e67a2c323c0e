// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

/** Which rows a client reads. */
public enum ClientsLoad {
  /** All as often: the test {@code randomRead} of HBase's PerformanceEvaluation. */
  UNIFORM("uniform"),
  /**
   * Some far more often than others, as YCSB chooses keys: HBase's own clients have no such test.
   */
  ZIPFIAN("zipfian");

  private final String label;

  ClientsLoad(String label) {
    this.label = label;
  }

  /** Returns the name in records and on the command line. */
  public String label() {
    return label;
  }
}
