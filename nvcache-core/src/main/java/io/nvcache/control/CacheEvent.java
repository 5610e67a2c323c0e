// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/**
 * A change of a cache's state.
 *
 * @param condition what began or ended
 * @param begun whether it began; otherwise it ended
 * @param reason why, in words, with the figures that decided it
 */
public record CacheEvent(Condition condition, boolean begun, String reason) {
  @Override
  public String toString() {
    return condition + (begun ? " began: " : " ended: ") + reason;
  }
}
