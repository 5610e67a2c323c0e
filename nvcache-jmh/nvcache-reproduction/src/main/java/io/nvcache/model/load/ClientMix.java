// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

/**
 * Clients that do the same mix of operations.
 *
 * @param threads how many
 * @param reads their share of the operations
 * @param updates the same
 * @param inserts the same
 * @param scans the same
 * @param perSecond operations that the group is limited to; 0 = as many as it can
 */
public record ClientMix(
    int threads, double reads, double updates, double inserts, double scans, double perSecond) {
  /** As many as they can. */
  public static ClientMix of(
      int threads, double reads, double updates, double inserts, double scans) {
    return new ClientMix(threads, reads, updates, inserts, scans, 0);
  }
}
