// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

/** A state of a log that its operator should know of. */
public enum WriteLogCondition {
  /** The last round of the drain failed, so nothing leaves the log. */
  DRAIN_FAILING,

  /** Writers wait for room: the disk is slower than they are. */
  FULL,

  /** A file can't be written any more; other files continue. */
  FILE_SICK,

  /** Acknowledged bytes have no file any more, and lie next to the log. */
  ORPHANS,

  /** A recovery met records whose bytes are lost. */
  DAMAGED,

  /** Another program has cut the log's file short, so nothing goes through it any more. */
  CUT_SHORT,

  /** The log only plays persistent memory: never for data. */
  EMULATED
}
