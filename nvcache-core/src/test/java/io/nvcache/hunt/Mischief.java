// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

/** What a policy of the hunt may do besides its work. */
enum Mischief {
  NONE,
  THROW,
  /** When asked for its figures, or told what became of its decision. */
  THROW_ASIDE,
  /** Something that can't be logged. */
  THROW_MUTE,
  THROW_ERROR,
  THROW_AT_CLOSE,
  /** Slots that are not there, worths beyond all others. */
  NONSENSE,
  /** Decides nothing about an offer. */
  NO_DECISION,
  /** Calls its own cache where the engine holds nothing. */
  REENTER,
  /** Calls its own cache from {@code onAdmit} and {@code onRemove}, under the lock of a bucket. */
  REENTER_LOCKED
}
