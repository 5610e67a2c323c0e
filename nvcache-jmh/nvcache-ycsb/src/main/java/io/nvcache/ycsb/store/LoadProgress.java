// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

/** Hears how a bulk load goes. */
@FunctionalInterface
public interface LoadProgress {
  /** Called now and then, and at the end, with the number of records written so far. */
  void loaded(long records);
}
