// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.HeatAware;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.jspecify.annotations.Nullable;

/**
 * Puts index, Bloom filter and other meta blocks before data blocks: they are few, one of them
 * leads to thousands of data blocks, and a lookup that misses one reads the disk twice. Where the
 * policy behind would refuse one because of its budget or its worth, it is taken all the same; a
 * data set that fits in DRAM is bypassed with all its blocks.
 *
 * <p>The engine asks on the thread that offers, so the thread says what it offers.
 */
public final class MetaFirst implements AdmissionPolicy, HeatAware {
  private static final ThreadLocal<Claim> CLAIM = ThreadLocal.withInitial(Claim::new);

  /** The receipt of a block that the policy behind refused, and charged nothing for. */
  private static final long OVERRULED = 1;

  private final AdmissionPolicy policy;

  private MetaFirst(AdmissionPolicy policy) {
    this.policy = policy;
  }

  /** What the calling thread offers. */
  public static final class Claim {
    private boolean meta;

    /** Until {@link #end}, the calling thread offers a meta block. */
    public static Claim begin() {
      Claim claim = CLAIM.get();
      claim.meta = true;
      return claim;
    }

    public void end() {
      meta = false;
    }
  }

  /** Returns whether a block is a meta block; one of unknown type is not. */
  public static boolean isMeta(@Nullable BlockType blockType) {
    return blockType != null && blockType.getCategory() != BlockType.BlockCategory.DATA;
  }

  public static AdmissionFactory over(AdmissionFactory factory) {
    return context -> new MetaFirst(factory.create(context));
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    AdmissionDecision decision = policy.decide(candidate);
    if (decision == AdmissionDecision.ADMIT
        || decision == AdmissionDecision.BYPASS_SMALL
        || !CLAIM.get().meta) {
      return decision;
    }
    candidate.charge(this, OVERRULED);
    return AdmissionDecision.ADMIT;
  }

  @Override
  public void refund(Candidate candidate) {
    if (!candidate.hasCharged(this)) { // Or the policy behind was overruled.
      policy.refund(candidate);
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
  public void refundReadmission(int lengthBytes) {
    policy.refundReadmission(lengthBytes);
  }

  @Override
  public void prime(long fileId, long offset, double recentLookups) {
    HeatAware.of(policy).prime(fileId, offset, recentLookups);
  }

  @Override
  public void reserve(double recentLookups, long bytes) {
    HeatAware.of(policy).reserve(recentLookups, bytes);
  }

  @Override
  public double recentMisses(long fileId, long offset) {
    return HeatAware.of(policy).recentMisses(fileId, offset);
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
