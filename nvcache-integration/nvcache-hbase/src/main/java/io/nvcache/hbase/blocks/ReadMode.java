// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

/** The way in which HBase gets to see the bytes of a block that was found. */
public enum ReadMode {
  /**
   * By gets in place on the medium, or in a copy that is lent, under a pin that ends when HBase has
   * released the block: faster, and without garbage to speak of. By all others as a copy on the
   * heap, since scanners keep cells of blocks that they have released ({@link
   * ThreadSource#isOfGet}).
   */
  ZERO_COPY,

  /** Always as a copy on the heap. */
  COPY
}
