// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.report.Labelled;

/** The ways in which the medium of a stress run misbehaves. */
public enum StressFault implements Labelled {
  /** A read throws. */
  READ_ERROR,
  /** A write throws. */
  WRITE_ERROR,
  /** A read gives the first half and says nothing. */
  SHORT_READ,
  /** A write takes the first half and says nothing. */
  TORN_WRITE,
  /** A bit changes after it was written. */
  BIT_FLIP,
  /** An operation takes some milliseconds. */
  LATENCY,
  /** An operation takes longer than a medium may before it counts as hanging. */
  STALL,
  /** A write finds the disk full half-way. */
  OUT_OF_SPACE,
  /** Everything throws for a while. */
  OUTAGE;

  /** Whether only a checksum can find it out. */
  boolean corrupts() {
    return this == SHORT_READ || this == TORN_WRITE || this == BIT_FLIP;
  }

  /** Whether it befalls reads, which then must go through the medium's methods. */
  boolean befallsReads() {
    return this == READ_ERROR
        || this == SHORT_READ
        || this == LATENCY
        || this == STALL
        || this == OUTAGE;
  }
}
