// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import io.nvcache.memory.Claims;

/**
 * Asks a cache's eviction policy. Whatever the policy throws, any {@link Error} among it, costs it
 * its say in this one matter, and is counted; the store's call goes on.
 */
public final class GuardedEviction implements AutoCloseable {
  private final EvictionPolicy policy;
  private final PolicyFailures failures;

  public GuardedEviction(EvictionPolicy policy, PolicyFailures failures) {
    this.policy = policy;
    this.failures = failures;
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
    try {
      policy.onRemove(slot);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public int victim() {
    try {
      return policy.victim();
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return EvictionPolicy.NO_VICTIM;
    }
  }

  public int victim(int near) {
    try {
      return policy.victim(near);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return EvictionPolicy.NO_VICTIM;
    }
  }

  public int worth(int slot) {
    try {
      return policy.worth(slot);
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
      return policy.metadataBytes();
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
