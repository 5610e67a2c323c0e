// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import java.util.OptionalDouble;

/**
 * Decides whether an offered block is written to the medium. Called by many threads at once, off
 * the hit path; must not wait for anything slower than a few instructions and should not allocate.
 *
 * <p>After each {@link AdmissionDecision#ADMIT} the engine either writes the block, which shows in
 * {@link Traffic#insertedBlocks}, or calls {@link #refund}: exactly one of the two, once. A policy
 * may therefore charge its budget when it decides, so that threads that decide at the same moment
 * can't overdraw it together. One that follows the heat of blocks implements {@link HeatAware} as
 * well.
 *
 * <p><b>What a policy may call.</b> No lock is held while a policy is asked, and it may call its
 * cache like anybody else; an offer asks it again. A cache that is closed from inside frees its
 * memory after the call has ended. Below a {@link io.nvcache.tiered.TieredBlockCache} it may look
 * blocks up in that and offer them; to invalidate or to close it is refused with {@link
 * IllegalStateException}, since it would wait for the offer that asks the policy. A policy must not
 * wait for another thread that calls the cache.
 *
 * <p><b>What a policy throws</b>, any {@link Error} among it, is logged and counted ({@link
 * io.nvcache.control.Condition#POLICY_FAILING}). In {@link #decide} it counts, like {@code null},
 * as {@link AdmissionDecision#NOT_WORTH_IT}; elsewhere the method's default applies.
 */
public interface AdmissionPolicy extends AutoCloseable {
  /**
   * Judges a block that is not cached yet.
   *
   * @param candidate the block; a policy that is charged may {@linkplain Candidate#charge note} by
   *     which of its budgets
   */
  AdmissionDecision decide(Candidate candidate);

  /**
   * Takes back one decision to admit: the block was not cached, because it is cached already, found
   * no room, was not laid out by its caller, or the medium was busy or failed. It may have been
   * written: two threads that offer a block at the same moment may both write it, and one copy is
   * dropped. Not called once the cache is closed. Does nothing by default.
   *
   * @param candidate as it was when it was judged, with its {@linkplain Candidate#receipt receipts}
   */
  default void refund(Candidate candidate) {}

  /**
   * Returns whether a cached block that would be lost with its region should be written once more.
   * Asked where blocks are {@linkplain io.nvcache.BlockPlacement#REGIONS placed in regions}.
   * Agreeing is a decision to admit like any other: the block counts as removed and as inserted, or
   * {@link #refundReadmission} is called.
   *
   * @param gain how much more the block is worth than what is lost with regions on average, in
   *     parts of a lookup ({@link io.nvcache.VictimPricing#LOOKUP_WORTH})
   * @param lengthBytes the block's length
   */
  default boolean readmits(int gain, int lengthBytes) {
    return false;
  }

  /**
   * Takes back a decision to write a block once more, because it was not written. Does nothing by
   * default.
   *
   * @param lengthBytes the block's length, as given to {@link #readmits}
   */
  default void refundReadmission(int lengthBytes) {}

  /**
   * Returns whether blocks may be evicted now; the paper stops evicting as well, while overhead is
   * high.
   */
  default boolean mayEvict() {
    return true;
  }

  /**
   * Returns the medium writes per lookup as this policy counts them, as a ratio; empty if it keeps
   * no such ratio.
   */
  default OptionalDouble overhead() {
    return OptionalDouble.empty();
  }

  /** Returns the bytes of DRAM that the policy holds off the heap. */
  default long metadataBytes() {
    return 0;
  }

  /** Frees the policy's memory, if it has any off the heap. No decision runs during or after it. */
  @Override
  default void close() {}
}
