// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.VictimPricing;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import io.nvcache.memory.Claims;

/**
 * Asks a cache's eviction policy. Whatever the policy throws, any {@link Error} among it, costs it
 * its say in this one matter, and is counted; the store's call continues.
 */
public final class GuardedEviction implements AutoCloseable {
  /** Important victims that are passed over in a row. */
  private static final int MOST_SPARED = 16;

  /** What an important block is worth, wherever the policy is asked: as much as the hottest. */
  private static final int IMPORTANT_WORTH = 8 * VictimPricing.LOOKUP_WORTH;

  private final EvictionPolicy policy;
  private final PolicyFailures failures;
  private final ImportantBlocks important;

  public GuardedEviction(
      EvictionPolicy policy, PolicyFailures failures, ImportantBlocks important) {
    this.policy = policy;
    this.failures = failures;
    this.important = important;
  }

  /** Returns which blocks are passed over. */
  public ImportantBlocks important() {
    return important;
  }

  /** Returns the policy itself. */
  EvictionPolicy policy() {
    return policy;
  }

  public void onAdmit(int slot) {
    try {
      policy.onAdmit(slot);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public void onRestore(int slot, int mark) {
    try {
      policy.onRestore(slot, mark);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public void onHit(int slot) {
    try {
      policy.onHit(slot);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public void onRemove(int slot) {
    important.removed(slot);
    try {
      policy.onRemove(slot);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  /** Returns a victim that is not important, unless the policy gives only such ones. */
  public int victim() {
    return ordinary(ask());
  }

  private int ordinary(int first) {
    int victim = first;
    for (int i = 0; i < MOST_SPARED && important.isSpared(victim); i++) {
      important.spared();
      victim = ask();
    }
    return victim;
  }

  private int ask() {
    try {
      return policy.victim();
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return EvictionPolicy.NO_VICTIM;
    }
  }

  /** Returns a victim in the same way, to begin with near a slot. */
  public int victim(int near) {
    try {
      return ordinary(policy.victim(near));
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return EvictionPolicy.NO_VICTIM;
    }
  }

  public int worth(int slot) {
    try {
      int worth = policy.worth(slot);
      return important.isSpared(slot) ? Math.max(worth, IMPORTANT_WORTH) : worth;
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return 0;
    }
  }

  /** Returns what the policy says if it can be a count, else 0. */
  public double recentHits(int slot) {
    try {
      return Heat.of(policy.recentHits(slot));
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return 0;
    }
  }

  public void sweep(Sweep sweep) {
    try {
      policy.sweep(sweep);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public long metadataBytes() {
    try {
      return policy.metadataBytes() + important.metadataBytes();
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return 0;
    }
  }

  @Override
  public void close() {
    Claims.release(policy).close();
  }

  @Override
  public String toString() {
    return policy.toString();
  }
}
