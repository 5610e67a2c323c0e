// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.memory.Claims;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Asks a cache's admission policy. Whatever the policy throws, any {@link Error} among it, counts
 * as a failure and, of a block, as a refusal; the store's call continues.
 */
public final class GuardedAdmission implements AutoCloseable {
  private final AdmissionPolicy policy;
  private final PolicyFailures failures;

  public GuardedAdmission(AdmissionPolicy policy, PolicyFailures failures) {
    this.policy = policy;
    this.failures = failures;
  }

  /** Returns the policy itself. */
  AdmissionPolicy policy() {
    return policy;
  }

  public AdmissionDecision decide(long fileId, long offset, int lengthBytes, Source source) {
    try {
      return Objects.requireNonNull(
          policy.decide(fileId, offset, lengthBytes, source), "the policy gave no decision");
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return AdmissionDecision.NOT_WORTH_IT;
    }
  }

  public AdmissionDecision decideAgain(long fileId, long offset, int lengthBytes, Source source) {
    try {
      return Objects.requireNonNull(
          policy.decideAgain(fileId, offset, lengthBytes, source), "the policy gave no decision");
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return AdmissionDecision.NOT_WORTH_IT;
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

  public AdmissionDecision decideCarried(
      long fileId, long offset, int lengthBytes, double recentLookups) {
    try {
      return Objects.requireNonNull(
          policy.decideCarried(fileId, offset, lengthBytes, recentLookups),
          "the policy gave no decision");
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return AdmissionDecision.NOT_WORTH_IT;
    }
  }

  public void foretell(long fileId, long offset, double recentLookups) {
    try {
      policy.foretell(fileId, offset, recentLookups);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public void reserve(double recentLookups, long bytes) {
    try {
      policy.reserve(recentLookups, bytes);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  /** Returns what the policy says if it can be a count, else 0. */
  public double recentMisses(long fileId, long offset) {
    try {
      return Heat.of(policy.recentMisses(fileId, offset));
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return 0;
    }
  }

  public void notAdmitted(int lengthBytes) {
    try {
      policy.notAdmitted(lengthBytes);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public boolean mayEvict() {
    try {
      return policy.mayEvict();
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
      return true;
    }
  }

  public void notAdmitted(int lengthBytes, Source source) {
    try {
      policy.notAdmitted(lengthBytes, source);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
  }

  public void carriedNotAdmitted(int lengthBytes) {
    try {
      policy.carriedNotAdmitted(lengthBytes);
    } catch (RuntimeException | Error e) {
      failures.report(policy, e);
    }
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
