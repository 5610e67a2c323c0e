// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

/** Which records the operations ask for. */
public enum Distribution {
  /** Few records are hot, spread over the key space. */
  ZIPFIAN("zipfian"),
  /** All records alike. */
  UNIFORM("uniform"),
  /** The newest records are hot. */
  LATEST("latest");

  private final String label;

  Distribution(String label) {
    this.label = label;
  }

  /** The name on the command line and in reports. */
  public String label() {
    return label;
  }
}
