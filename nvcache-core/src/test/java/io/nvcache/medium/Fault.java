// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/** A way for a medium to misbehave. */
public enum Fault {
  /** A read throws. */
  READ_ERROR,
  /** A write throws. */
  WRITE_ERROR,
  /** A read gives only the first half and says nothing. */
  SHORT_READ,
  /** A write takes only the first half and says nothing. */
  TORN_WRITE,
  /** A bit is another one than was written. */
  BIT_FLIP,
  /** An operation takes long. */
  LATENCY,
  /** A read does not return until it is let go. */
  STUCK_READ,
  /** A write does not return until it is let go. */
  STUCK_WRITE,
  /** A write finds no room, though capacity was promised. */
  OUT_OF_SPACE
}
