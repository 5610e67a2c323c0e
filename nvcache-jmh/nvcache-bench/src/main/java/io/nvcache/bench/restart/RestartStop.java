// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

/** How the process that filled a cache ended. */
public enum RestartStop {
  /** It closed the cache. */
  CLEAN("clean"),
  /** By {@code kill -9}. */
  KILL("kill");

  private final String label;

  RestartStop(String label) {
    this.label = label;
  }

  /** Returns the name in records and on the command line. */
  public String label() {
    return label;
  }
}
