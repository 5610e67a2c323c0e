// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/** The source of an offered block. */
public enum Source {
  /** A point read that missed and went to the disk. */
  READ,
  /** A range scan. */
  SCAN,
  /** A read ahead of demand. */
  PREFETCH,
  /** A new file written from memory. */
  FLUSH,
  /** A new file rewritten from older ones, or the reading of those. */
  COMPACTION
}
