// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockCacheBuilder;

/**
 * A policy that can be named on the command line.
 *
 * @param name its name
 * @param summary what it does, with its source, in one line
 * @param spending whether it keeps to the overhead target
 * @param rewrites what becomes of the heat of files that are rewritten
 * @param setup makes a cache follow it
 */
public record TracePolicy(
    String name, String summary, Spending spending, Rewrites rewrites, Setup setup) {
  /** What becomes of the heat of files that are rewritten. */
  public enum Rewrites {
    /** It goes with the inputs. */
    DROP,
    /** It is carried to the outputs. */
    CARRY
  }

  TracePolicy(String name, String summary, Spending spending, Setup setup) {
    this(name, summary, spending, Rewrites.DROP, setup);
  }

  boolean carriesHeat() {
    return rewrites == Rewrites.CARRY;
  }

  /** Whether a policy keeps to the overhead target. */
  public enum Spending {
    /** Its writes per lookup stay at the target or below. */
    WITHIN_BUDGET,
    /** It writes as it likes. */
    UNBOUNDED
  }

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
