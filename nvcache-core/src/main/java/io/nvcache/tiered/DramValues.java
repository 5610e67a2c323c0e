// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

/** Where the DRAM tier keeps the bytes of its blocks. */
public enum DramValues {
  /** In byte arrays. The heap must have room for the whole tier. */
  HEAP,
  /**
   * In direct buffers, outside the heap, so that the collector neither marks nor moves the bytes.
   *
   * <p>They are freed by the garbage collector, not by eviction: a reader may still hold a view. An
   * evicted block's memory comes back when its small heap object is collected, or at the latest
   * when the JVM runs into {@code -XX:MaxDirectMemorySize} and collects because of that. Give that
   * limit a quarter more than the tier.
   */
  DIRECT
}
