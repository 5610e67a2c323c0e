// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/** Checks for debugging. Each costs time; none changes an answer. */
public enum DebugCheck {
  /**
   * Overwrites space on the medium when it is freed, and looks when it is handed out again whether
   * it was written to in between. Freeing then writes to the medium.
   */
  POISON_FREED,
  /** Looks through the whole index once a second, in the background, for entries that can't be. */
  CHECK_INDEX,
  /** Remembers where each pin was taken, and reports those that are not given back. */
  TRACK_LEASES
}
