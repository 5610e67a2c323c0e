// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/** The outcome of an offer. Each outcome is counted by its name. */
public enum OfferResult {
  /** The block was written to the medium and can be hit. */
  ADMITTED,
  /** The block was there already, or another thread is writing it. */
  ALREADY_CACHED,
  /** The data set fits in DRAM, where the page cache serves it better. */
  BYPASSED_SMALL,
  /** Medium writes per lookup are over the target. */
  BYPASSED_OVERHEAD,
  /** Admission wants it, but more bytes must not be written now: a write limit is reached. */
  BYPASSED_WRITE_LIMIT,
  /** Admission holds other blocks to be worth more, or does not take this source. */
  NOT_WORTH_IT,
  /** The block is longer than {@link BlockCacheBuilder#maxBlockBytes}. */
  TOO_LARGE,
  /** No room, and eviction may not or could not make any. */
  NO_SPACE,
  /** As many threads write to the medium as it can take. */
  MEDIUM_BUSY,
  /** The medium failed to take the bytes. */
  MEDIUM_FAILED,
  /** The medium failed too often, or hangs, and is not asked for now. */
  OUT_OF_SERVICE,
  /** The cache is closed. */
  CLOSED
}
