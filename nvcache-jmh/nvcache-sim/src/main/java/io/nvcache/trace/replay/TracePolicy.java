// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockCacheBuilder;

/**
 * A policy that can be named on the command line.
 *
 * @param name its name
 * @param summary what it does, with its source, in one line
 * @param setup makes a cache follow it
 */
public record TracePolicy(String name, String summary, Setup setup) {
  /** Chooses admission and eviction of a cache about to be built. */
  @FunctionalInterface
  public interface Setup {
    /** Configures the builder; called once for each cache. */
    void configure(BlockCacheBuilder cache, ReplaySettings settings);
  }

  void configure(BlockCacheBuilder cache, ReplaySettings settings) {
    setup.configure(cache, settings);
  }
}
