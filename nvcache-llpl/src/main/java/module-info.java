// SPDX-License-Identifier: Apache-2.0
/** A medium of {@code io.nvcache.core} on heaps of persistent memory, over Intel's LLPL. */
module io.nvcache.llpl {
  requires transitive io.nvcache.core;
  requires jdk.nio.mapmode;
  requires llpl;
  requires static org.jspecify;
  requires org.slf4j;

  exports io.nvcache.llpl;
}
