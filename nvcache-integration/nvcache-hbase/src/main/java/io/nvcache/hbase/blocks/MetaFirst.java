// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import java.util.OptionalDouble;

/**
 * Puts index, Bloom filter and other meta blocks before data blocks: they are few, one of them
 * leads to thousands of data blocks, and a lookup that misses one reads the disk twice. Where the
 * policy behind would refuse one because of its budget or its worth, it is taken all the same; a
 * data set that fits in DRAM is bypassed with all its blocks.
 *
 * <p>The engine asks on the thread that offers, so the thread says what it offers.
 */
public final class MetaFirst implements AdmissionPolicy {
  private static final ThreadLocal<Claim> CLAIM = ThreadLocal.withInitial(Claim::new);

  private final AdmissionPolicy policy;

  private MetaFirst(AdmissionPolicy policy) {
    this.policy = policy;
  }

  /** What the calling thread offers. */
  public static final class Claim {
    private boolean meta;

    /** Whether the policy behind was overruled, and therefore charged nothing. */
    private boolean overruled;

    /** Until {@link #end}, the calling thread offers a meta block. */
    public static Claim begin() {
      Claim claim = CLAIM.get();
      claim.meta = true;
      return claim;
    }

    public void end() {
      meta = false;
      overruled = false;
    }
  }

  public static AdmissionFactory over(AdmissionFactory factory) {
    return context -> new MetaFirst(factory.create(context));
  }

  @Override
  public AdmissionDecision decide(long fileId, long offset, int lengthBytes, Source source) {
    return overrule(policy.decide(fileId, offset, lengthBytes, source));
  }

  private static AdmissionDecision overrule(AdmissionDecision decision) {
    Claim claim = CLAIM.get();
    claim.overruled = false; // An offer may be repeated, and be charged then.
    if (decision == AdmissionDecision.ADMIT || decision == AdmissionDecision.BYPASS_SMALL) {
      return decision;
    }
    claim.overruled = claim.meta;
    return claim.meta ? AdmissionDecision.ADMIT : decision;
  }

  @Override
  public void notAdmitted(int lengthBytes) {
    if (!CLAIM.get().overruled) {
      policy.notAdmitted(lengthBytes);
    }
  }

  @Override
  public void notAdmitted(int lengthBytes, Source source) {
    if (!CLAIM.get().overruled) {
      policy.notAdmitted(lengthBytes, source);
    }
  }

  /** Nothing is known of the block but its worth. */
  @Override
  public boolean readmits(int gain, int lengthBytes) {
    return policy.readmits(gain, lengthBytes);
  }

  @Override
  public boolean mayEvict() {
    return policy.mayEvict();
  }

  @Override
  public AdmissionDecision decideCarried(
      long fileId, long offset, int lengthBytes, double recentLookups) {
    return overrule(policy.decideCarried(fileId, offset, lengthBytes, recentLookups));
  }

  @Override
  public void carriedNotAdmitted(int lengthBytes) {
    if (!CLAIM.get().overruled) {
      policy.carriedNotAdmitted(lengthBytes);
    }
  }

  @Override
  public void foretell(long fileId, long offset, double recentLookups) {
    policy.foretell(fileId, offset, recentLookups);
  }

  @Override
  public void reserve(double recentLookups, long bytes) {
    policy.reserve(recentLookups, bytes);
  }

  @Override
  public double recentMisses(long fileId, long offset) {
    return policy.recentMisses(fileId, offset);
  }

  @Override
  public OptionalDouble overhead() {
    return policy.overhead();
  }

  @Override
  public long metadataBytes() {
    return policy.metadataBytes();
  }

  @Override
  public void close() {
    policy.close();
  }
}
