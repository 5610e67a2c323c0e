// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;
import java.util.OptionalDouble;

/**
 * Decides whether an offered block is written to the medium. Called by many threads at once, off
 * the hit path; must not wait for anything slower than a few instructions and should not allocate.
 *
 * <p>After each {@link AdmissionDecision#ADMIT} the engine either writes the block, which shows in
 * {@link Traffic#insertedBlocks}, or calls {@link #notAdmitted}: exactly one of the two, once. A
 * policy may therefore charge its budget when it decides, so that threads that decide at the same
 * moment can't overdraw it together.
 *
 * <p><b>What a policy may call.</b> No lock is held while a policy is asked, and it may call its
 * cache as anybody may; an offer asks it again. A cache that is closed from inside frees its memory
 * after the call has ended. Beneath a {@link io.nvcache.tiered.TieredBlockCache} it may look blocks
 * up in that and offer them; to invalidate or to close it is refused with {@link
 * IllegalStateException}, since it would wait for the offer that asks the policy. A policy must not
 * wait for another thread that calls the cache.
 *
 * <p><b>What a policy throws</b>, any {@link Error} among it, is logged and counted ({@link
 * io.nvcache.control.Condition#POLICY_FAILING}). In {@link #decide}, as {@code null} does, it
 * represents {@link AdmissionDecision#NOT_WORTH_IT}; elsewhere for the default of the method.
 */
public interface AdmissionPolicy extends AutoCloseable {
  /**
   * Judges one candidate that is not cached yet.
   *
   * @param fileId the block's file
   * @param offset the block's offset in it, in bytes
   * @param lengthBytes the block's length
   * @param source what brought the block
   */
  AdmissionDecision decide(long fileId, long offset, int lengthBytes, Source source);

  /**
   * Judges a candidate that it judged before, since when nobody has asked for the block again: a
   * caller that reads a block in parts may offer it for each part that missed. A policy that counts
   * how often blocks are asked for does not count this one. By default decides as {@link #decide}.
   *
   * @param fileId the block's file
   * @param offset the block's offset in it, in bytes
   * @param lengthBytes the block's length
   * @param source what brought the block
   */
  default AdmissionDecision decideAgain(long fileId, long offset, int lengthBytes, Source source) {
    return decide(fileId, offset, lengthBytes, source);
  }

  /**
   * Returns whether a cached block that would be lost with its region should be written once more.
   * Asked where blocks are {@linkplain io.nvcache.BlockPlacement#REGIONS placed in regions}. To
   * agree is a decision to admit like any other: the block counts as removed and as inserted, or
   * {@link #notAdmitted} is called.
   *
   * @param gain how much more the block is worth than what is lost with regions on average, in
   *     parts of a lookup ({@link io.nvcache.VictimPricing#LOOKUP_WORTH})
   * @param lengthBytes the block's length
   */
  default boolean readmits(int gain, int lengthBytes) {
    return false;
  }

  /**
   * Judges an output block of a {@linkplain io.nvcache.Rewrite rewrite}, of which it is known how
   * often the blocks that it was made of were looked up. By default decides as for any block of
   * {@link Source#COMPACTION}.
   *
   * @param fileId the block's file
   * @param offset the block's offset in it, in bytes
   * @param lengthBytes the block's length
   * @param recentLookups the lookups that the block is expected to have had lately; more than 0
   */
  default AdmissionDecision decideCarried(
      long fileId, long offset, int lengthBytes, double recentLookups) {
    return decide(fileId, offset, lengthBytes, Source.COMPACTION);
  }

  /**
   * Takes note of an output block of a rewrite that is not cached and may be offered later: of how
   * many recent lookups it is expected to be worth. So it need not earn them once more. By default
   * does nothing.
   *
   * @param recentLookups as in {@link #decideCarried}
   */
  default void foretell(long fileId, long offset, double recentLookups) {}

  /**
   * Speaks for free room that the inputs of rewrites left: blocks of their outputs come now that
   * are worth at least so many recent lookups each, and one that is worth less is not to take their
   * room. Takes the place of what was spoken for before. By default does nothing.
   *
   * @param bytes of the blocks that are yet to come; 0 when no more of them come
   */
  default void reserve(double recentLookups, long bytes) {}

  /**
   * Returns about how many lookups missed a block lately, 0 if the policy does not count them.
   * Changes nothing.
   */
  default double recentMisses(long fileId, long offset) {
    return 0;
  }

  /**
   * Takes back one decision to admit: the block is not cached by it, because it is cached already,
   * found no room, was not laid out by its caller, or the medium was busy or failed. It may have
   * been written: of two threads that offer a block at the same moment both may write it, and one
   * copy is thrown away. Not called any more once the cache is closed.
   *
   * @param lengthBytes the block's length, as given to {@link #decide}
   */
  default void notAdmitted(int lengthBytes) {}

  /**
   * Takes back one decision to admit, as {@link #notAdmitted(int)} does. The engine calls this one
   * where it knows what brought the block; by default it does not matter.
   *
   * @param lengthBytes the block's length, as given to {@link #decide}
   * @param source what brought the block, as given to {@link #decide}
   */
  default void notAdmitted(int lengthBytes, Source source) {
    notAdmitted(lengthBytes);
  }

  /**
   * Takes back one decision to admit of {@link #decideCarried}; by default as for an offer from
   * {@link Source#COMPACTION}.
   *
   * @param lengthBytes the block's length, as given to {@link #decideCarried}
   */
  default void carriedNotAdmitted(int lengthBytes) {
    notAdmitted(lengthBytes, Source.COMPACTION);
  }

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
