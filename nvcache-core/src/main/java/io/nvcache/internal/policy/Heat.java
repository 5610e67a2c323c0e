// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

/** A policy's count of recent lookups, as far as it can be one. */
final class Heat {
  /** Whatever a policy claims, a block is not worth more than this. */
  private static final double MOST = 1 << 20;

  private Heat() {}

  /** Returns the claimed count if it is positive, at most {@link #MOST}; else 0. */
  static double of(double claimed) {
    return claimed > 0 ? Math.min(claimed, MOST) : 0;
  }
}
