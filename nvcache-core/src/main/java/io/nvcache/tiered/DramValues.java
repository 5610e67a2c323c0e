// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

/** The memory that the DRAM tier keeps its blocks in. */
public enum DramValues {
  /** Values in byte arrays. The heap must have room for the whole tier. */
  HEAP,
  /**
   * In direct buffers, outside the heap, so that the collector neither marks nor moves the bytes.
   *
   * <p>They are freed by the garbage collector, not by eviction: a reader may still hold a view.
   * {@code -XX:MaxDirectMemorySize} does not bound them, and making one never collects the heap.
   * All together take up to a quarter more than the tier, or 16 MiB more if that is more. While
   * that is used up, by blocks that were evicted and not collected yet, blocks are kept on the heap
   * for as long as the collector leaves them there.
   */
  DIRECT
}
