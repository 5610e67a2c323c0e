// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.HeatAware;
import io.nvcache.memory.Claims;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Asks a cache's admission policy. Whatever the policy throws, any {@link Error} among it, counts
 * as a failure and, of a block, as a refusal; the store's call continues.
 */
public final class GuardedAdmission implements HeatAware, AutoCloseable {
  private final AdmissionPolicy policy;
  private final HeatAware heat;
  private final StripedCounters counters;
  private final PolicyFailures failures;

  public GuardedAdmission(
      AdmissionPolicy policy, StripedCounters counters, PolicyFailures failures) {
    this.policy = policy;
    this.heat = HeatAware.of(policy);
    this.counters = counters;
    this.failures = failures;
  }

  /** Returns the policy itself. */
  AdmissionPolicy policy() {
    return policy;
  }

  public AdmissionDecision decide(Candidate candidate) {
    try {
      return Objects.requireNonNull(policy.decide(candidate), "the policy gave no decision");
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return AdmissionDecision.NOT_WORTH_IT;
    }
  }

  public void refund(Candidate candidate) {
    try {
      policy.refund(candidate);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public boolean readmits(int gain, int lengthBytes) {
    try {
      return policy.readmits(gain, lengthBytes);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return false;
    }
  }

  public void refundReadmission(int lengthBytes) {
    try {
      policy.refundReadmission(lengthBytes);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  @Override
  public void prime(long fileId, long offset, double recentLookups) {
    try {
      heat.prime(fileId, offset, recentLookups);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  @Override
  public void reserve(double recentLookups, long bytes) {
    try {
      heat.reserve(recentLookups, bytes);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  /** Returns what the policy says if it can be a count, else 0. */
  @Override
  public double recentMisses(long fileId, long offset) {
    try {
      return Heat.of(heat.recentMisses(fileId, offset));
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return 0;
    }
  }

  /** Returns whether a block may be evicted now, and counts it if not. */
  public boolean mayEvict() {
    try {
      if (policy.mayEvict()) {
        return true;
      }
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return true;
    }
    counters.add(counters.stripe(), Counter.DEFERRED_EVICTIONS, 1);
    return false;
  }

  public OptionalDouble overhead() {
    try {
      return Objects.requireNonNull(policy.overhead(), "overhead() returned null");
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return OptionalDouble.empty();
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
