// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

/** How HBase gets to see the bytes of a block that was found. */
enum ReadMode {
  /**
   * In place on the medium, under a pin that ends when HBase has released the block. Faster, and
   * makes no garbage to speak of; but a long scan pins what it reads until its response is sent.
   */
  ZERO_COPY,

  /** As a copy on the heap. For media whose every access is slow. */
  COPY
}
