// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/** The kind of checksum in DRAM by which a cache verifies blocks when it reads them. */
public enum Checksum {
  /** Nothing: what the medium gives back is passed on. */
  NONE,
  /**
   * The CRC-32C of the block, four bytes for each slot of the index. A block whose bytes no longer
   * match is a miss, counted, and never read again. {@linkplain BlockPlacement#REGIONS Regions} in
   * the clear have it whatever is chosen.
   */
  CRC32C
}
