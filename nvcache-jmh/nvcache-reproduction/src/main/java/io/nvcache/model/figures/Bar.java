// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

/**
 * What counts as reproduced.
 *
 * @param low the least
 * @param high the most
 */
public record Bar(double low, double high) {
  /** Without a bar. */
  public static final Bar NONE = new Bar(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  static Bar atLeast(double low) {
    return new Bar(low, Double.POSITIVE_INFINITY);
  }

  static Bar atMost(double high) {
    return new Bar(Double.NEGATIVE_INFINITY, high);
  }

  static Bar between(double low, double high) {
    return new Bar(low, high);
  }

  /** A part of the value up or down. */
  static Bar within(double part, double value) {
    return new Bar(value - part * Math.abs(value), value + part * Math.abs(value));
  }

  static Bar yes() {
    return new Bar(1, 1);
  }

  boolean holds(double value) {
    return value >= low && value <= high;
  }
}
