// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

/** The media that a second tier can be put on. */
public enum MediumChoice {
  /** Memory outside the heap. */
  NATIVE("native", "native memory"),
  /** A mapped file. */
  MAPPED("mapped", "mapped file"),
  /** Memory slowed down to Optane's speed. */
  EMULATED_NVRAM("emulated-nvram", "emulated NVRAM");

  private final String label;
  private final String title;

  MediumChoice(String label, String title) {
    this.label = label;
    this.title = title;
  }

  /** The name on the command line and in records. */
  public String label() {
    return label;
  }

  /** The name in tables and reports. */
  public String title() {
    return title;
  }
}
