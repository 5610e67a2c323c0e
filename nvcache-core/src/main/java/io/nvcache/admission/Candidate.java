// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A block that wants to be cached, as an admission policy judges it, and the receipts of the
 * policies that were charged for it. The engine uses one object for many blocks, one after another,
 * so that an offer allocates nothing: a policy must not keep it past the call.
 *
 * <p>Used by one thread at a time.
 */
public class Candidate {
  private long fileId;
  private long offset;
  private int lengthBytes;
  private Source source = Source.READ;
  private double recentLookups = Double.NaN;
  private boolean offeredAgain;

  /** Policies that have left a receipt; null behind them. */
  private @Nullable AdmissionPolicy[] charged = new AdmissionPolicy[1];

  private long[] receipts = new long[1];

  /** Makes a candidate whose block a subclass {@linkplain #set sets}. */
  protected Candidate() {}

  /**
   * Describes a block of which nothing is known but what brought it.
   *
   * @param offset of the block in its file, in bytes
   */
  public static Candidate of(long fileId, long offset, int lengthBytes, Source source) {
    return expected(fileId, offset, lengthBytes, source, Double.NaN);
  }

  /** Describes a block that was {@linkplain #isOfferedAgain offered before}. */
  public static Candidate offeredAgain(long fileId, long offset, int lengthBytes, Source source) {
    Candidate candidate = of(fileId, offset, lengthBytes, source);
    candidate.setOfferedAgain();
    return candidate;
  }

  /** Describes a block whose {@linkplain #recentLookups recent lookups} are known. */
  public static Candidate expected(
      long fileId, long offset, int lengthBytes, Source source, double recentLookups) {
    Candidate candidate = new Candidate();
    candidate.set(fileId, offset, lengthBytes, source, recentLookups);
    return candidate;
  }

  /** Describes another block from now on, which no policy was charged for. */
  protected final void set(
      long fileId, long offset, int lengthBytes, Source source, double recentLookups) {
    this.fileId = fileId;
    this.offset = offset;
    this.lengthBytes = lengthBytes;
    this.source = source;
    this.recentLookups = recentLookups;
    this.offeredAgain = false;
    forgetReceipts();
  }

  /** The block was offered before for the same lookup. */
  protected final void setOfferedAgain() {
    offeredAgain = true;
  }

  /** No policy is charged any more. */
  protected final void forgetReceipts() {
    Arrays.fill(charged, null);
  }

  /** Returns the block's file. */
  public final long fileId() {
    return fileId;
  }

  /** Returns the block's offset in its file, in bytes. */
  public final long offset() {
    return offset;
  }

  /** Returns the block's length. */
  public final int lengthBytes() {
    return lengthBytes;
  }

  /** Returns what brought the block. */
  public final Source source() {
    return source;
  }

  /**
   * Returns how many lookups the block is expected to have had lately, more than 0: an output block
   * of a {@linkplain io.nvcache.Rewrite rewrite} is worth the lookups of the blocks that it was
   * made of, and one of {@link io.nvcache.BlockRank#IMPORTANT} rank as much as the hottest. NaN for
   * other blocks.
   */
  public final double recentLookups() {
    return recentLookups;
  }

  /** Returns whether {@link #recentLookups} are known. */
  public final boolean isExpected() {
    return !Double.isNaN(recentLookups);
  }

  /**
   * Returns whether the block was judged before, and no lookup has asked for it since: a caller
   * that reads a block in parts may offer it for each part that missed. A policy that counts how
   * often blocks are asked for does not count this one.
   */
  public final boolean isOfferedAgain() {
    return offeredAgain;
  }

  /**
   * Keeps what a policy was charged until its {@linkplain AdmissionPolicy#refund refund}.
   *
   * @param receipt any number: which of several budgets paid, for one
   */
  public final void charge(AdmissionPolicy policy, long receipt) {
    int i = 0;
    while (charged[i] != null && charged[i] != policy) {
      i++;
      if (i == charged.length) {
        long[] moreReceipts = Arrays.copyOf(receipts, 2 * i); // Both or, without memory, neither.
        charged = Arrays.copyOf(charged, 2 * i);
        receipts = moreReceipts;
      }
    }
    charged[i] = policy;
    receipts[i] = receipt;
  }

  /** Returns whether a policy was charged. */
  public final boolean hasCharged(AdmissionPolicy policy) {
    return indexOf(policy) >= 0;
  }

  /**
   * Returns the policy's receipt.
   *
   * @throws IllegalStateException if the policy was not charged
   */
  public final long receipt(AdmissionPolicy policy) {
    int i = indexOf(policy);
    if (i < 0) {
      throw new IllegalStateException(
          policy + " was not charged for this block; ask hasCharged() first");
    }
    return receipts[i];
  }

  private int indexOf(AdmissionPolicy policy) {
    for (int i = 0; i < charged.length && charged[i] != null; i++) {
      if (charged[i] == policy) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return "block " + fileId + ":" + offset + ", " + lengthBytes + " bytes, " + source;
  }
}
