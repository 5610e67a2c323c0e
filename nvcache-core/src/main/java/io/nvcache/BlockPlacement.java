// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/** The way in which blocks are placed on a medium. */
public enum BlockPlacement {
  /**
   * Each block where one was evicted. A hit rate of a few percent more for as many bytes written,
   * and small writes all over the medium, which a flash drive answers with more writes internally.
   */
  IN_PLACE,

  /**
   * One behind the other, in regions that are written as a whole, emptied as a whole, and then
   * written again. Writes are long and in order, and made in the background from buffers of some
   * megabytes of DRAM.
   */
  REGIONS
}
